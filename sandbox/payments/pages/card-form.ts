import { type Html, html } from '../../look.ts';
import { type CardEntry, type CardField, TEST_CARDS } from '../resources/cards.ts';

export type Problems = Partial<Record<CardField | 'email' | 'form', string>>;

interface FieldDetails {
  id: string;
  label: string;
  value?: string;
  problem?: string;
  autocomplete: string;
  inputmode?: string;
  placeholder?: string;
  type?: string;
  maxlength?: number;
  readonly?: boolean;
}

export function field(details: FieldDetails): Html {
  const message = `${details.id}-problem`;
  return html`<div class="field">
  <label for="${details.id}">${details.label}</label>
  <input id="${details.id}" name="${details.id}" type="${details.type ?? 'text'}" value="${details.value ?? ''}"
    autocomplete="${details.autocomplete}" required ${details.inputmode ? html`inputmode="${details.inputmode}"` : ''}
    ${details.placeholder ? html`placeholder="${details.placeholder}"` : ''}
    ${details.maxlength ? html`maxlength="${details.maxlength}"` : ''} ${details.readonly ? html`readonly` : ''}
    ${details.problem ? html`aria-invalid="true" aria-describedby="${message}"` : ''}>
  ${details.problem ? html`<p class="problem" id="${message}">${details.problem}</p>` : ''}
</div>`;
}

/** The four card fields. Values stay after an error, unless the card may be a real one. */
export function cardFields(problems: Problems, entry: Partial<CardEntry>): Html {
  const digits = entry.number?.replaceAll(/\D/g, '');
  const isKnown = TEST_CARDS.some((card) => card.number === digits);
  return html`${field({
    id: 'number',
    label: 'Card number',
    value: isKnown ? grouped(digits ?? '') : '',
    problem: problems.number,
    autocomplete: 'cc-number',
    inputmode: 'numeric',
    placeholder: '1234 1234 1234 1234',
    maxlength: 23,
  })}
<div class="pair">
${field({
  id: 'expiry',
  label: 'Expiration date',
  value: entry.expiry,
  problem: problems.expiry,
  autocomplete: 'cc-exp',
  inputmode: 'numeric',
  placeholder: 'MM / YY',
  maxlength: 9,
})}
${field({
  id: 'cvc',
  label: 'CVC',
  value: isKnown ? entry.cvc : '',
  problem: problems.cvc,
  autocomplete: 'cc-csc',
  inputmode: 'numeric',
  placeholder: '123',
  maxlength: 4,
})}
</div>
${field({
  id: 'name',
  label: 'Name on card',
  value: entry.name,
  problem: problems.name,
  autocomplete: 'cc-name',
  maxlength: 120,
})}`;
}

/** The banner above a card form with problems: the message about the whole form, or that fields are marked. */
export function problemBanner(problems: Problems): Html | '' {
  const text =
    problems.form ?? (Object.keys(problems).length > 0 ? 'Please check the marked fields below.' : null);
  return text ? html`<p class="banner" role="alert" tabindex="-1">${text}</p>` : '';
}

/** The collapsed list of test cards. With scripts, a click on one fills the form. */
export function testCards(): Html {
  return html`<details class="tests small">
<summary>Test cards</summary>
<p>Use any future expiration date and any CVC.</p>
<ul>${TEST_CARDS.map((card) => {
    const number = grouped(card.number);
    return html`<li><button type="button" data-card="${number}"><span class="num">${number}</span><span class="soft">${card.what}</span></button></li>`;
  })}</ul>
</details>`;
}

function grouped(number: string): string {
  return number.replace(/(.{4})(?=.)/g, '$1 ');
}

export const CARD_STYLE = `
.tests{margin-top:1.25rem;border-top:1px solid var(--line);padding-top:.25rem}
.tests ul{list-style:none;margin:0;padding:0;display:grid;gap:.4rem}
.tests button{width:100%;justify-content:space-between;gap:.75rem;font-weight:400;text-align:right;flex-wrap:wrap;padding:.35rem .75rem}
.tests .num{white-space:nowrap}
`;

/** Groups digits while typing, keeps the caret in place, and disables the button after submitting. */
export const CARD_SCRIPT = `
const spaced=(input,format)=>input&&input.addEventListener('input',()=>{
  const digitsBefore=input.value.slice(0,input.selectionStart).replace(/\\D/g,'').length;
  const text=format(input.value.replace(/\\D/g,''));
  if(text===input.value)return;
  input.value=text;
  let at=0;
  for(let seen=0;at<text.length&&seen<digitsBefore;at++)if(/\\d/.test(text[at]))seen++;
  if(digitsBefore===text.replace(/\\D/g,'').length)at=text.length;
  input.setSelectionRange(at,at);
});
spaced(document.getElementById('number'),d=>d.slice(0,19).replace(/(.{4})(?=.)/g,'$1 '));
let lastExpiry='';
spaced(document.getElementById('expiry'),d=>{
  if(/^[2-9]/.test(d))d='0'+d;
  const grew=d.length>lastExpiry.length;lastExpiry=d;
  return d.length>2||(d.length===2&&grew)?d.slice(0,2)+' / '+d.slice(2,6):d;
});
for(const button of document.querySelectorAll('[data-card]'))button.addEventListener('click',()=>{
  const set=(id,value)=>{const input=document.getElementById(id);if(input&&!input.readOnly){input.value=value;}};
  set('number',button.dataset.card);
  set('expiry','12 / '+String(new Date().getFullYear()+3).slice(2));set('cvc','123');
  const name=document.getElementById('name');if(name&&!name.value)name.value='Demo Member';
  document.querySelector('form .primary')?.focus();
});
for(const form of document.querySelectorAll('form'))form.addEventListener('submit',()=>{
  const button=form.querySelector('.primary');
  if(button)setTimeout(()=>{button.disabled=true;button.textContent=button.dataset.busy||button.textContent;});
});
addEventListener('pageshow',event=>{if(event.persisted)location.reload();});
(document.querySelector('[aria-invalid=true]')||document.querySelector('.banner'))?.focus();
`;
