import { expect, test } from 'vitest';
import { fillIndex } from '../../../../src/server/http/pages/page-document.ts';
import { SITE } from '../../../support/fixtures/site.ts';

const INDEX = '<title>__CLUB_NAME__</title><script type="application/json">__SITE__</script>';

test.each(['__CLUB_NAME__\\', '__SITE__', '</script>"\\', "$& $' Sons"])(
  'a page of the club %s can be read, and says its name',
  (club_name) => {
    const html = fillIndex(INDEX, { ...SITE, club_name });
    const json = /<script type="application\/json">(.*)<\/script>/.exec(html)?.[1] ?? '';
    expect(JSON.parse(json)).toEqual({ ...SITE, club_name });
    const title = /<title>(.*?)<\/title>/.exec(html)?.[1] ?? '';
    expect(title.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))).toBe(club_name);
  },
);
