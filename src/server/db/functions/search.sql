-- Staff search (docs/decisions/search-and-lists.md): text folding, indexes, and the triggers that maintain profile_search.
-- Indexes and rows depend on these functions, so they are rebuilt whenever this file changes.
DROP INDEX IF EXISTS profile_search_ngrams, profile_search_newest;
DROP FUNCTION IF EXISTS like_pattern, word_ngrams, short_ngrams, profile_search_text, fold_text;

-- Lowercased and without accents, the same in every database whatever its locale: lower() in the locale C knows ASCII
-- alone, so the characters that lose no accent, and the Greek and Cyrillic capitals, are named here.
CREATE FUNCTION fold_text(p text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT replace(replace(replace(replace(translate(
    lower(regexp_replace(normalize(p, NFD) COLLATE "C", '[\u0300-\u036f]+', '', 'g')),
    'ØøŁłĐđÐðĦħŦŧıÆŒẞÞΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯІЄҐЂЉЊЋЏЈЅ',
    'oollddddhhttiæœßþαβγδεζηθικλμνξοπρστυφχψωσабвгдежзиклмнопрстуфхцчшщъыьэюяієґђљњћџјѕ'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
$$;

-- The phone is stored as digits alone, however it was typed; searchWords in search-words.ts does the same to words. Cut at
-- what a row of profile_search_newest can hold, which is more than the contract lets anyone type.
CREATE FUNCTION profile_search_text(p_first text, p_last text, p_email text, p_phone text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT left(fold_text(p_first || ' ' || p_last || ' ' || p_email
                        || coalesce(' ' || nullif(regexp_replace(p_phone, '\D', '', 'g'), ''), '')), 800)
$$;

-- A typed word as a LIKE pattern that matches anywhere; LIKE's own wildcards are literal.
CREATE FUNCTION like_pattern(p_word text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT '%' || regexp_replace(fold_text(p_word), '([\\%_])', '\\\1', 'g') || '%'
$$;

-- Every character and every two consecutive characters of a folded text, which a trigram index cannot look up.
CREATE FUNCTION short_ngrams(p text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT string_to_array(p, NULL) || array_remove(string_to_array(
    regexp_replace(p, '(..)', E'\\1\t', 'g') || E'\t' || regexp_replace(substr(p, 2), '(..)', E'\\1\t', 'g'),
    E'\t'), '')
$$;

-- The longest n-grams of a typed word: a text with the word has them all.
CREATE FUNCTION word_ngrams(p_word text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN length(w) < 2 THEN string_to_array(w, NULL)
              ELSE ARRAY(SELECT substr(w, i, 2) FROM generate_series(1, length(w) - 1) i) END
    FROM fold_text(p_word) AS w
$$;

-- SECURITY DEFINER: fires when members change their own profile, and they have no rights to profile_search.
CREATE OR REPLACE FUNCTION index_profile() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO profile_search (user_id, search_text)
  VALUES (NEW.id, profile_search_text(NEW.first_name, NEW.last_name, NEW.email, NEW.phone))
  ON CONFLICT (user_id) DO UPDATE SET search_text = excluded.search_text;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER index_profile AFTER INSERT OR UPDATE OF first_name, last_name, email, phone ON profiles
  FOR EACH ROW EXECUTE FUNCTION index_profile();

-- Locks the profile first, as index_profile's statement has: an email that follows in this transaction needs that lock.
CREATE OR REPLACE FUNCTION index_member() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM profiles WHERE id = coalesce(NEW.user_id, OLD.user_id) FOR KEY SHARE;
  IF TG_OP = 'DELETE' OR NEW.status <> 'active' THEN
    UPDATE profile_search SET customer_id = NULL, member_since = NULL WHERE user_id = OLD.user_id;
  ELSE
    UPDATE profile_search SET customer_id = NEW.id, member_since = NEW.member_since WHERE user_id = NEW.user_id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER index_member AFTER INSERT OR DELETE ON customers
  FOR EACH ROW EXECUTE FUNCTION index_member();

-- A pour updates the customer too, which changes nothing searchable.
CREATE OR REPLACE TRIGGER index_changed_member AFTER UPDATE ON customers
  FOR EACH ROW WHEN ((OLD.status, OLD.member_since) IS DISTINCT FROM (NEW.status, NEW.member_since))
  EXECUTE FUNCTION index_member();

-- With the indexes in place, a million rows would take twice as long.
TRUNCATE profile_search;
DROP INDEX IF EXISTS profile_search_trigrams;
INSERT INTO profile_search (user_id, search_text, customer_id, member_since)
SELECT p.id, profile_search_text(p.first_name, p.last_name, p.email, p.phone), c.id, c.member_since
  FROM profiles p LEFT JOIN customers c ON c.user_id = p.id AND c.status = 'active'
 WHERE p.erased_at IS NULL;

CREATE INDEX profile_search_trigrams ON profile_search USING gin (search_text gin_trgm_ops);

-- The index covers all users, as the trigrams do: applicants are searched too.
CREATE INDEX profile_search_ngrams ON profile_search USING gin (short_ngrams(search_text));

-- Active members in list order, with their text: an index-only scan, read backward.
CREATE INDEX profile_search_newest ON profile_search (member_since, customer_id) INCLUDE (search_text)
  WHERE member_since IS NOT NULL;
