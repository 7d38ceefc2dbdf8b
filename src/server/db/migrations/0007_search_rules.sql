CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- Lowercased and without accents, the same in every database whatever its locale: lower() in the locale C knows
-- ASCII alone, so the letters that lose no accent, and the Greek and Cyrillic capitals, are named here.
CREATE FUNCTION folded(p text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT replace(replace(replace(replace(translate(
    lower(regexp_replace(normalize(p, NFD) COLLATE "C", '[\u0300-\u036f]+', '', 'g')),
    'ØøŁłĐđÐðĦħŦŧıÆŒẞÞΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯІЄҐЂЉЊЋЏЈЅ',
    'oollddddhhttiæœßþαβγδεζηθικλμνξοπρστυφχψωσабвгдежзиклмнопрстуфхцчшщъыьэюяієґђљњћџјѕ'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
$$;
--> statement-breakpoint
CREATE FUNCTION profile_search_text(p_first text, p_last text, p_email text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT folded(p_first || ' ' || p_last || ' ' || p_email)
$$;
--> statement-breakpoint
-- A typed word as a pattern of LIKE that finds it anywhere; what LIKE takes for wildcards is literal.
CREATE FUNCTION containing(p_word text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT '%' || regexp_replace(folded(p_word), '([\\%_])', '\\\1', 'g') || '%'
$$;
--> statement-breakpoint
-- Every letter of a text and every two that stand together: what an index of trigrams cannot look up.
CREATE FUNCTION letters_and_pairs(p text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT string_to_array(p, NULL) || array_remove(string_to_array(
    regexp_replace(p, '(..)', E'\\1\t', 'g') || E'\t' || regexp_replace(substr(p, 2), '(..)', E'\\1\t', 'g'),
    E'\t'), '')
$$;
--> statement-breakpoint
-- The longest of these that a word has: all that stand for it must be in the text.
CREATE FUNCTION letters_or_pairs(p_word text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN length(w) < 2 THEN string_to_array(w, NULL)
              ELSE ARRAY(SELECT substr(w, i, 2) FROM generate_series(1, length(w) - 1) i) END
    FROM folded(p_word) AS w
$$;
--> statement-breakpoint
INSERT INTO profile_search (user_id, search_text, customer_id, member_since)
SELECT p.id, profile_search_text(p.first_name, p.last_name, p.email), c.id, c.member_since
  FROM profiles p LEFT JOIN customers c ON c.user_id = p.id AND c.status = 'active';
--> statement-breakpoint
CREATE INDEX profile_search_trigrams ON profile_search USING gin (search_text gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX profile_search_pairs ON profile_search USING gin (letters_and_pairs(search_text))
  WHERE member_since IS NOT NULL;
--> statement-breakpoint
CREATE FUNCTION profile_is_searched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO profile_search (user_id, search_text)
  VALUES (NEW.id, profile_search_text(NEW.first_name, NEW.last_name, NEW.email))
  ON CONFLICT (user_id) DO UPDATE SET search_text = excluded.search_text;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER profile_is_searched AFTER INSERT OR UPDATE OF first_name, last_name, email ON profiles
  FOR EACH ROW EXECUTE FUNCTION profile_is_searched();
--> statement-breakpoint
CREATE FUNCTION member_is_searched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR NEW.status <> 'active' THEN
    UPDATE profile_search SET customer_id = NULL, member_since = NULL WHERE user_id = OLD.user_id;
  ELSE
    UPDATE profile_search SET customer_id = NEW.id, member_since = NEW.member_since WHERE user_id = NEW.user_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER member_is_searched AFTER INSERT OR DELETE ON customers
  FOR EACH ROW EXECUTE FUNCTION member_is_searched();
--> statement-breakpoint
-- A pour updates the member's row as well; that is nothing to search by.
CREATE TRIGGER member_change_is_searched AFTER UPDATE ON customers
  FOR EACH ROW WHEN ((OLD.status, OLD.member_since) IS DISTINCT FROM (NEW.status, NEW.member_since))
  EXECUTE FUNCTION member_is_searched();
