import { type FormField, type FormPage, type JsonObject, ownProperty } from '@sluice/domain';
import { authorHtml, htmlBudget } from '../../pages/author-html.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Page } from '../../pages/send-page.ts';
import { type FieldView, fieldView } from './field-view.ts';

/** Values and errors of a form, by the index of the field. */
interface Filled {
  values: ReadonlyMap<number, readonly string[]>;
  errors: ReadonlyMap<number, string>;
}

export const keyInput = 'form-key';
export const inputName = (index: number) => `field-${index}`;

/**
 * The page of a form, which posts to its own address. `key`: makes it count once, however often it
 * is sent.
 */
export function formView(page: FormPage, key: string, { values, errors }: Filled): Page {
  const hasFiles = page.fields.some(({ kind }) => kind === 'file');
  const needs = page.fields.some((field) => 'required' in field && field.required);
  const budget = htmlBudget();
  const valuesByField = shownValues(values);
  const view = (field: FormField, index: number): Html =>
    fieldView(field, {
      id: inputName(index),
      values: valuesByField.get(index),
      error: errors.get(index),
      budget,
    } satisfies FieldView);
  return {
    title: `${errors.size > 0 ? 'Error: ' : ''}${page.title || 'Form'}`,
    css: page.css,
    body: html`<h1>${page.title || 'Form'}</h1>
${page.description !== '' && html`<div class="description">${authorHtml(page.description, budget)}</div>`}
${errors.size > 0 && errorSummary(page, errors)}
<form method="post" enctype="${hasFiles ? 'multipart/form-data' : 'application/x-www-form-urlencoded'}" accept-charset="utf-8">
<input type="hidden" name="${keyInput}" value="${key}">
${needs && html`<p class="hint">Fields marked with <span class="required">*</span> are required.</p>`}
${page.fields.map(view)}
<button type="submit">${page.buttonLabel}</button>
</form>`,
  };
}

/**
 * Maximum number of characters in values that a page repeats: escaping millions of them would block
 * the event loop for seconds.
 */
const maxShownCharacters = 200_000;

/** Without the values that exceed the limit; their controls are empty. */
function shownValues(values: Filled['values']): Filled['values'] {
  let remainingCharacters = maxShownCharacters;
  const isShown = (text: string) => {
    const fits = text.length <= remainingCharacters;
    if (fits) remainingCharacters -= text.length;
    return fits;
  };
  return new Map([...values].map(([index, texts]) => [index, texts.map((text) => (isShown(text) ? text : ''))] as const));
}

/** Initial values from the query: `?name=value`, by the names of the fields. */
export function prefilled({ fields }: FormPage, query: JsonObject): Map<number, string[]> {
  const values = new Map<number, string[]>();
  for (const [index, field] of fields.entries()) {
    if (field.kind === 'html' || field.kind === 'file' || field.kind === 'password') continue;
    const value = ownProperty(query, field.name);
    if (value !== undefined) values.set(index, [value].flat().map(String));
  }
  return values;
}

function errorSummary({ fields }: FormPage, errors: ReadonlyMap<number, string>): Html {
  const lines = [...errors].map(([index, error]) => {
    const field = fields[index];
    const label = field && 'label' in field ? `${field.label}: ` : '';
    return html`<li><a href="#${inputName(index)}">${label}${error}</a></li>`;
  });
  return html`<div class="errors" role="alert" tabindex="-1" autofocus>
<h2>The form has not been sent</h2>
<ul>${lines}</ul>
</div>`;
}
