import { document, Html, html } from '../look.ts';
import type { Email } from './emails.ts';

const STYLE = `
.mailbox{max-width:56rem;margin:0 auto;padding:1.5rem 1.25rem 4rem}
.head{display:flex;justify-content:space-between;align-items:center;gap:1rem;flex-wrap:wrap;margin-bottom:1.25rem}
.head form{margin:0}
.list{list-style:none;margin:0;padding:0;overflow:hidden}
.list a{display:grid;grid-template-columns:minmax(9rem,1fr) 2fr auto;gap:1rem;padding:.85rem 1.25rem;color:inherit;text-decoration:none;border-bottom:1px solid var(--line);min-height:44px}
.list li:last-child a{border-bottom:0}
.list a:hover{background:var(--paper)}
.list a:focus-visible{outline-offset:-3px}
.list span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.list .subject{font-weight:600}
.flush{padding:0}
dl{display:grid;grid-template-columns:auto 1fr;gap:.15rem 1rem;margin:0 0 1rem}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
iframe{width:100%;height:75vh;border:1px solid var(--line);border-radius:8px;color-scheme:light dark}
.parts{display:flex;gap:.5rem;margin:0 0 1rem}
.parts [aria-current]{border-color:var(--wine);box-shadow:inset 0 0 0 1px var(--wine)}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:0}
@media (max-width:640px){.list a{grid-template-columns:1fr auto;gap:.1rem 1rem}.list .subject{grid-column:1/-1;grid-row:2;white-space:normal}}
`;

function time(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

const LOCAL_TIMES = `
for(const time of document.querySelectorAll('time'))time.textContent=new Date(time.dateTime).toLocaleString(undefined,{dateStyle:'medium',timeStyle:'short'});
`;

const reloadScript = (latestId: string | null) => `
setInterval(async()=>{
  if(document.hidden)return;
  try{
    const{id}=await(await fetch('/mailbox/api/newest')).json();
    if(id!==${JSON.stringify(latestId)})location.reload();
  }catch{}
},2000);
`;

/** The page of all caught emails, newest first. */
export function mailboxPage(emails: Email[], to: string, notice?: string): string {
  return document({
    title: emails.length > 0 ? `Mailbox (${emails.length})` : 'Mailbox',
    style: STYLE,
    script: LOCAL_TIMES + (to ? '' : reloadScript(emails[0]?.id ?? null)),
    body: html`<main class="mailbox">
<div class="head"><div><h1>Mailbox</h1><p class="soft" style="margin:0">Every email that the club sends arrives here and goes no further.</p></div>
${emails.length > 0 && !to ? html`<form method="post" action="/mailbox/empty"><button>Empty mailbox</button></form>` : to ? html`<a class="button" href="/mailbox">Show all</a>` : ''}</div>
${to ? html`<p>To <strong>${to}</strong> only.</p>` : ''}
${notice ? html`<p class="banner" role="status">${notice}</p>` : ''}
${
  emails.length === 0
    ? html`<div class="card empty"><h2>No email yet</h2><p>Join the club or reset your password, and an email arrives here.</p></div>`
    : html`<ul class="list card flush">${emails.map(
        (email) =>
          html`<li><a href="/mailbox/${email.id}"><span>${email.to.join(', ')}</span><span class="subject">${email.subject || '(no subject)'}</span><span class="soft small">${time(email.at)}</span></a></li>`,
      )}</ul>`
}
</main>`,
  });
}

/** The page of one email: its header, and its HTML in a frame without scripts, or its text. */
export function emailPage(email: Email, view?: string): string {
  const part = view === 'text' || !email.html ? 'text' : 'html';
  const choice = (name: string, label: string) =>
    html`<a class="button" href="/mailbox/${email.id}?part=${name}"${part === name ? new Html(' aria-current="true"') : ''}>${label}</a>`;
  return document({
    title: email.subject || 'Email',
    style: STYLE,
    script: LOCAL_TIMES,
    body: html`<main class="mailbox">
<p><a href="/mailbox">← Mailbox</a></p>
<h1>${email.subject || '(no subject)'}</h1>
<dl><dt>From</dt><dd>${email.from_name ? `${email.from_name} <${email.from}>` : email.from}</dd><dt>To</dt><dd>${email.to.join(', ')}</dd><dt>Sent</dt><dd>${time(email.at)}</dd></dl>
${email.html && email.text ? html`<nav class="parts" aria-label="Part of the email">${choice('html', 'HTML')}${choice('text', 'Text')}</nav>` : ''}
${part === 'html' ? html`<iframe title="Email as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation" src="/mailbox/${email.id}/html"></iframe>` : html`<div class="card"><pre>${linked(email.text)}</pre></div>`}
</main>`,
  });
}

function linked(text: string): Html {
  const pieces = text.split(/(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]])/);
  return new Html(
    pieces
      .map((piece, at) => (at % 2 === 1 ? html`<a href="${piece}">${piece}</a>` : html`${piece}`).text)
      .join(''),
  );
}

/** The email's own HTML, with links that open in a new tab. */
export function emailFrame(email: Email): string {
  const base = '<base target="_blank">';
  return /<head[^>]*>/i.test(email.html)
    ? email.html.replace(/<head[^>]*>/i, `$&${base}`)
    : base + email.html;
}
