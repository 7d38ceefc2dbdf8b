import { accentTokens, type Scheme } from '../../domain/club/colors.ts';
import type { Content, FramedEmail, Venue } from './email-content.ts';

const TITLE = "Georgia,'Times New Roman',serif";
const TEXT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Helvetica,Arial,sans-serif";

/** The web app's colors (src/web/styles/tokens.css) in a form for mail programs. */
type Palette = Record<
  'page' | 'sheet' | 'ink' | 'muted' | 'line' | 'accent' | 'accent-ink' | 'link' | 'brass',
  string
>;
const LIGHT: Palette = {
  page: '#f6f0e4',
  sheet: '#fffdf9',
  ink: '#2b1d1a',
  muted: '#68564d',
  line: '#dfd2bd',
  accent: '#6b182c',
  'accent-ink': '#fdf5ea',
  link: '#6b182c',
  brass: '#9c7730',
};
const DARK: Palette = {
  page: '#171110',
  sheet: '#201817',
  ink: '#f4eadc',
  muted: '#bcab9b',
  line: '#3b2e2a',
  accent: '#8f2c3e',
  'accent-ink': '#fff4ec',
  link: '#e6ab9f',
  brass: '#c49f58',
};

function paletteOf({ accent }: Venue, scheme: Scheme): Palette {
  const palette = scheme === 'light' ? LIGHT : DARK;
  if (!accent) return palette;
  const tokens = accentTokens(scheme, accent);
  return {
    ...palette,
    accent: tokens.accent,
    'accent-ink': tokens['accent-ink'],
    link: tokens['accent-text'],
  };
}

// Every color is also inline for programs that drop styles; these are for those that support dark mode and narrow screens.
function styleOf(dark: Palette): string {
  const fill = (color: keyof Palette) => `background-color:${dark[color]} !important`;
  const ink = (color: keyof Palette) => `color:${dark[color]} !important`;
  return [
    ':root{color-scheme:light dark;supported-color-schemes:light dark}',
    '@media (prefers-color-scheme:dark){',
    `.page{${fill('page')}}`,
    `.sheet{${fill('sheet')};border-color:${dark.line} !important}`,
    `.ink{${ink('ink')}}.muted{${ink('muted')}}.link{${ink('link')}}.brass{border-color:${dark.brass} !important}`,
    `.line{border-color:${dark.line} !important}.button{${fill('accent')}}.button a{${ink('accent-ink')}}`,
    '}',
    '@media (max-width:480px){.around{padding:16px 8px !important}.sheet{padding:24px 20px 8px !important}}',
  ].join('');
}

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign);

const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';

/**
 * The HTML of an email: tables and inline styles, because mail programs support little else; 600 pixels at most, light and
 * dark. It loads only the club's logo, whose URL is the same for everyone and so tracks no one.
 */
export function htmlPart(
  venue: Venue,
  { heading, greeting, content, why, unsubscribe }: FramedEmail,
): string {
  const pieces = [greeting, ...content].map((it) => block(venue, it)).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escaped(heading)}</title>
<style>${styleOf(paletteOf(venue, 'dark'))}</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:${LIGHT.page};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden">${escaped(previewOf(content))}</div>
<table ${TABLE} width="100%" class="page" style="background-color:${LIGHT.page}"><tr><td class="around" align="center" style="padding:32px 12px">
<table ${TABLE} width="100%" style="max-width:600px">
<tr><td class="ink brass" align="center" style="padding:0 0 14px;border-bottom:2px solid ${LIGHT.brass};font-family:${TITLE};font-size:20px;line-height:28px;color:${LIGHT.ink};word-break:break-word">${headOf(venue)}</td></tr>
<tr><td style="height:20px;line-height:20px;font-size:1px">&nbsp;</td></tr>
<tr><td class="sheet" style="padding:36px 40px 20px;background-color:${LIGHT.sheet};border:1px solid ${LIGHT.line};border-radius:8px;word-break:break-word">
<h1 class="ink" style="margin:0 0 20px;font-family:${TITLE};font-size:26px;line-height:33px;font-weight:normal;color:${LIGHT.ink}">${escaped(heading)}</h1>
${pieces}
</td></tr>
<tr><td class="muted" align="center" style="padding:20px 16px 0;font-family:${TEXT};font-size:13px;line-height:20px;color:${LIGHT.muted};word-break:break-word">Questions? Write to ${link(venue, `mailto:${venue.support_email}`, venue.support_email)}.<br>${escaped(why)}${unsubscribe ? `<br>${link(venue, unsubscribe, 'Turn off emails like this one')}` : ''}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

const LOGO = { width: 240, height: 56 };

function headOf({ club_name, logo }: Venue): string {
  const name = escaped(club_name);
  if (!logo) return name;
  const scale = Math.min(1, LOGO.width / logo.width, LOGO.height / logo.height);
  const [width, height] = [logo.width, logo.height].map((it) => Math.max(1, Math.round(it * scale)));
  return `<img src="${escaped(logo.url)}" alt="${name}" width="${width}" height="${height}" style="border:0;border-radius:4px;vertical-align:bottom">`;
}

/** The preview shown beside the subject in a mailbox. */
function previewOf(content: Content[]): string {
  return content.find((it) => typeof it === 'string') ?? '';
}

function block(venue: Venue, piece: Content): string {
  if (typeof piece === 'string') {
    return `<p class="ink" style="margin:0 0 16px;font-family:${TEXT};font-size:16px;line-height:25px;color:${LIGHT.ink}">${withLinks(venue, piece)}</p>`;
  }
  if ('facts' in piece) return factTable(piece.facts);
  const light = paletteOf(venue, 'light');
  return `<table ${TABLE} style="margin:24px 0 20px"><tr><td class="button" align="center" style="background-color:${light.accent};border-radius:6px;mso-padding-alt:13px 26px"><a href="${escaped(piece.url)}" target="_blank" rel="noopener" style="display:inline-block;padding:13px 26px;font-family:${TEXT};font-size:16px;line-height:22px;font-weight:bold;color:${light['accent-ink']};text-decoration:none">${escaped(piece.button)}</a></td></tr></table>`;
}

function factTable(facts: [string, string][]): string {
  const cell = (color: 'ink' | 'muted', style: string) =>
    `class="${color} line" style="padding:10px 0;border-top:1px solid ${LIGHT.line};font-family:${TEXT};font-size:15px;line-height:22px;color:${LIGHT[color]};vertical-align:top;${style}"`;
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td ${cell('muted', 'padding-right:16px;white-space:nowrap')}>${escaped(label)}</td><td align="right" ${cell('ink', 'font-variant-numeric:tabular-nums')}>${escaped(value)}</td></tr>`,
  );
  return `<table cellpadding="0" cellspacing="0" border="0" width="100%" class="line" style="margin:8px 0 20px;border-bottom:1px solid ${LIGHT.line}">${rows.join('')}</table>`;
}

function link(venue: Venue, url: string, label: string): string {
  return `<a class="link" href="${escaped(url)}" target="_blank" rel="noopener" style="color:${paletteOf(venue, 'light').link}">${escaped(label)}</a>`;
}

/** The paragraph with only the venue's own URLs as links, so that a URL in a name stays text. */
function withLinks(venue: Venue, paragraph: string): string {
  const { public_url, terms_url } = venue;
  const isOurs = (word: string) => word === terms_url || word.startsWith(`${public_url}/`);
  return paragraph
    .split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/)
    .map((piece) => (isOurs(piece) ? link(venue, piece, piece) : escaped(piece)))
    .join('');
}
