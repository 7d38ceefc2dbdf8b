import type { OpenAPI } from '@orpc/openapi';
import { escapeHtml } from '../pages/escape-html.ts';
import { API_DOCS_PATH } from '../security-headers.ts';
import { operationsOf } from './openapi.ts';
import { schemaText } from './schema-text.ts';

type Document = OpenAPI.Document;
type Operation = OpenAPI.OperationObject;
type Found = { method: string; path: string; operation: Operation };

const prose = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** The document as a page: every call by group, collapsed at first. Works without scripts. */
export function docsPage(document: Document): string {
  const calls = [...operationsOf(document)];
  const tags = document.tags ?? [];
  const idOf = (tag: string) => `group-${tag.toLowerCase().replace(/\W+/g, '-')}`;
  const groups = tags.map(({ name, description = '' }) => {
    const group = calls.filter(({ operation }) => operation.tags?.includes(name));
    return `<section id="${idOf(name)}"><h2>${escapeHtml(name)}</h2><p>${prose(description)}</p>
${group.map(callOf).join('\n')}</section>`;
  });
  const links = tags.map(({ name }) => `<li><a href="#${idOf(name)}">${escapeHtml(name)}</a></li>`);
  const { title, description = '' } = document.info;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API of ${escapeHtml(title)}</title>
<link rel="stylesheet" href="${API_DOCS_PATH}.css">
</head>
<body>
<header><h1>API of ${escapeHtml(title)}</h1>
<p>${prose(description)}</p>
<p>All paths start with <code>${escapeHtml(document.servers?.[0]?.url ?? '')}</code>. They are also in
<a href="/api/openapi.json">an OpenAPI document</a>, from which most languages can generate a client.</p>
<p>Errors have one shape: <code>{ code, message, data? }</code>. <code>code</code> never changes its meaning;
<code>message</code> is a sentence for a person.</p>
<p>A <code>time</code> is ISO 8601 with its zone, a <code>day</code> is YYYY-MM-DD, and amounts of money are in cents.</p></header>
<div class="columns">
<nav aria-label="Groups"><ul>${links.join('')}</ul></nav>
<main>
${groups.join('\n')}
<section id="group-errors"><h2>Errors with data</h2>${errorsWithData(document)}</section>
</main>
</div>
</body>
</html>
`;
}

function callOf({ method, path, operation }: Found): string {
  const { operationId = '', summary = '', description = '' } = operation;
  // The last paragraph says who may make the call.
  const paragraphs = description.split('\n\n');
  const parts = [
    ...paragraphs.slice(0, -1).map((text) => `<p>${prose(text)}</p>`),
    `<p class="who">${prose(paragraphs.at(-1) ?? '')}</p>`,
    parametersOf(operation),
    bodyOf(operation),
    responsesOf(operation),
  ];
  return `<details id="${escapeHtml(operationId)}"><summary><span class="method ${method}">${method.toUpperCase()}</span>
<code>${escapeHtml(path)}</code> <span class="summary">${escapeHtml(summary)}</span></summary>
<div class="call">${parts.filter(Boolean).join('\n')}</div></details>`;
}

function parametersOf({ parameters = [] }: Operation): string {
  const rows = parameters.flatMap((it) => ('$ref' in it ? [] : [it as OpenAPI.ParameterObject]));
  if (rows.length === 0) return '';
  const cells = rows.map((it) => {
    const type = schemaText(it.schema as OpenAPI.SchemaObject | undefined);
    return `<tr><td><code>${escapeHtml(it.name)}</code></td><td>${it.in}${it.required ? '' : ', optional'}</td>
<td><code>${escapeHtml(type)}</code>${it.description ? `<br>${prose(it.description)}` : ''}</td></tr>`;
  });
  return `<h3>Parameters</h3><table>${cells.join('')}</table>`;
}

function bodyOf({ requestBody }: Operation): string {
  if (!requestBody || !('content' in requestBody)) return '';
  return Object.entries(requestBody.content ?? {})
    .map(([type, { schema }]) => `<h3>Body <span>${escapeHtml(type)}</span></h3>${typeOf(schema)}`)
    .join('');
}

const typeOf = (schema: unknown) =>
  `<pre tabindex="0">${escapeHtml(schemaText(schema as OpenAPI.SchemaObject | undefined))}</pre>`;

function responsesOf({ responses = {} }: Operation): string {
  const entries = Object.entries(responses);
  const successes = entries.filter(([status]) => status < '400').map(goodOf);
  const errors = entries
    .filter(([status]) => status >= '400')
    .map(([status, response]) => {
      const words =
        '$ref' in response
          ? response.$ref?.split('/').at(-1)
          : (response as OpenAPI.ResponseObject).description;
      return `<tr><td>${status}</td><td><code>${escapeHtml(words ?? '')}</code></td></tr>`;
    });
  return `${successes.join('')}${errors.length > 0 ? `<h3>Errors</h3><table>${errors.join('')}</table>` : ''}`;
}

function goodOf([status, response]: [string, unknown]): string {
  const { content = {}, description } = response as OpenAPI.ResponseObject;
  const types = Object.entries(content);
  if (types.length === 0) return `<h3>${status}</h3><p>${escapeHtml(description)}</p>`;
  return types
    .map(([type, { schema }]) => `<h3>${status} <span>${escapeHtml(type)}</span></h3>${typeOf(schema)}`)
    .join('');
}

function errorsWithData({ components }: Document): string {
  const rows = Object.entries(components?.schemas ?? {}).flatMap(([name, schema]) => {
    const { properties } = schema as OpenAPI.SchemaObject;
    if (!properties?.code || !properties.data) return [];
    const type = schemaText(properties.data as OpenAPI.SchemaObject);
    return [
      `<tr><td><code>${escapeHtml(name)}</code></td><td><pre tabindex="0">${escapeHtml(type)}</pre></td></tr>`,
    ];
  });
  return `<table>${rows.join('')}</table>`;
}
