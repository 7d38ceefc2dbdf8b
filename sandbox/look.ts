function escapeHtml(text: string): string {
  return text.replace(
    /[&<>"']/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign] ?? sign,
  );
}

/** Text marked as HTML, which `html` does not escape. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Piece = string | number | Html | null | false | undefined | Piece[];

function pieceText(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return '';
  if (piece instanceof Html) return piece.text;
  if (Array.isArray(piece)) return piece.map(pieceText).join('');
  return escapeHtml(String(piece));
}

/** Builds HTML. Values are escaped unless they are Html; null and false give nothing. */
export function html(parts: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(parts.map((part, at) => part + pieceText(pieces[at])).join(''));
}

const STYLE = `
@font-face{font-family:Fraunces;src:url(/fonts/title.woff2) format("woff2");font-weight:100 900;font-display:swap}
@font-face{font-family:Figtree;src:url(/fonts/text.woff2) format("woff2");font-weight:300 900;font-display:swap}
:root{color-scheme:light dark;--paper:#f6f1e7;--card:#fffdf8;--ink:#2a211c;--soft:#6b5d52;--line:#e0d5c3;--wine:#6e1f33;--wine-deep:#571727;--on-wine:#fff8f0;--brass:#8a6a2f;--bad:#9b1c1c;--bad-soft:#fbeceb;--good:#2f6b45;--field:#fff;--field-line:#8f8275}
@media (prefers-color-scheme:dark){:root{--paper:#1b1513;--card:#251d1a;--ink:#f3eadd;--soft:#b9a999;--line:#43362f;--wine:#a8425b;--wine-deep:#bb5570;--on-wine:#fff8f0;--brass:#cfae6a;--bad:#ff9c92;--bad-soft:#3d211f;--good:#8fcda4;--field:#1d1614;--field-line:#857566}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 Figtree,ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;min-height:100vh}
h1,h2,.serif{font-family:Fraunces,"Iowan Old Style","Palatino Linotype",Palatino,"Book Antiqua",Georgia,"Times New Roman",serif;font-weight:600;line-height:1.2;text-wrap:balance}
h1{font-size:1.75rem;margin:0 0 .25rem}
h2{font-size:1.15rem;margin:0 0 .75rem}
a{color:var(--wine);text-underline-offset:.2em}
@media (prefers-color-scheme:dark){a{color:#e39aac}}
p{margin:.25rem 0 .75rem}
.soft{color:var(--soft)}
.small{font-size:.875rem}
button,.button{font:inherit;font-weight:600;min-height:44px;padding:.55rem 1rem;border-radius:8px;border:1px solid var(--line);background:var(--card);color:var(--ink);cursor:pointer;display:inline-flex;align-items:center;justify-content:center;text-decoration:none}
button:hover,.button:hover{border-color:var(--wine)}
.primary{background:var(--wine);border-color:var(--wine);color:var(--on-wine)}
.primary:hover{background:var(--wine-deep)}
.wide{width:100%;min-height:50px;font-size:1.05rem}
button[disabled]{opacity:.65;cursor:progress}
:focus-visible{outline:3px solid var(--brass);outline-offset:2px}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.25rem}
.mark{font-size:.8125rem;color:var(--soft);border:1px solid var(--line);border-radius:99px;padding:.15rem .7rem;display:inline-block}
.field{margin:0 0 1rem}
.field label{display:block;font-weight:600;font-size:.9375rem;margin-bottom:.3rem}
.field input{width:100%;font:inherit;min-height:48px;padding:.6rem .8rem;border:1px solid var(--field-line);border-radius:8px;background:var(--field);color:var(--ink)}
.field input[readonly]{background:transparent;color:var(--soft)}
.field input[aria-invalid=true]{border-color:var(--bad);border-width:2px}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:.75rem}
.problem{color:var(--bad);font-size:.9rem;margin:.35rem 0 0}
.banner{background:var(--bad-soft);color:var(--bad);border:1px solid currentColor;border-radius:8px;padding:.75rem 1rem;margin:0 0 1rem}
.num{font-variant-numeric:tabular-nums}
table{width:100%;border-collapse:collapse}
th{font-weight:600;font-size:.8125rem;color:var(--soft);text-align:left}
th,td{padding:.5rem 1rem .5rem 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
details summary{cursor:pointer;min-height:44px;display:flex;align-items:center;color:var(--soft)}
details summary::before{content:"▸";margin-right:.5rem}
details[open] summary::before{content:"▾"}
th:last-child,td:last-child{padding-right:0}
tbody tr:last-child td{border-bottom:0}
.banner:focus{outline:0}
.away{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
::placeholder{color:var(--soft);opacity:.75}
.empty{text-align:center;padding:4rem 1rem;color:var(--soft)}
.empty h2{color:var(--ink)}
@media (prefers-reduced-motion:no-preference){button,.button{transition:background-color .12s,border-color .12s}}
`;

/** Builds a whole page. `style` and `script` are added to the common ones. */
export function document(options: { title: string; body: Html; style?: string; script?: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(options.title)}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#6e1f33"/><path d="M10 6h12c0 7-1 11-5 12v6h4v2H11v-2h4v-6c-4-1-5-5-5-12z" fill="#f6f1e7"/></svg>')}">
<style>${STYLE}${options.style ?? ''}</style>
</head>
<body>
${options.body.text}
${options.script ? `<script>${options.script}</script>` : ''}
</body>
</html>`;
}
