import type { ChoiceField, FileField, FormField, TextField } from '@sluice/domain';
import { authorHtml, type HtmlBudget } from '../../pages/author-html.ts';
import { type Html, html } from '../../pages/html.ts';

export interface FieldView {
  /** Id and name of the control. */
  id: string;
  /** Current values; absent: the default of the field. */
  values: readonly string[] | undefined;
  error: string | undefined;
  /** HTML that the page may still sanitize. */
  budget: HtmlBudget;
}

type Labeled = TextField | ChoiceField | FileField;

/** One field. Each control has a label, each group a legend, and errors refer to their control. */
export function fieldView(field: FormField, view: FieldView): Html {
  switch (field.kind) {
    case 'html':
      return html`<div class="field">${authorHtml(field.html, view.budget)}</div>\n`;
    case 'hidden':
      return html`<input type="hidden" name="${view.id}" value="${view.values?.[0] ?? field.value}">\n`;
    case 'radio':
    case 'checkbox':
      return group(field, view);
    default:
      return html`<div class="field">
<label for="${view.id}">${labelOf(field)}</label>
${errorOf(view)}${control(field, view)}
</div>
`;
  }
}

function labelOf({ label, required }: Labeled): Html {
  return html`${label}${required && html` <span class="required" aria-hidden="true">*</span>`}`;
}

function errorOf({ id, error }: FieldView): Html | undefined {
  return error === undefined ? undefined : html`<p class="error" id="${id}-error">${error}</p>\n`;
}

/** Attributes that all controls have. */
function common({ required }: Labeled, { id, error }: FieldView): Html {
  const wrong = error !== undefined && html` aria-invalid="true" aria-describedby="${id}-error"`;
  return html`id="${id}" name="${id}"${required && html` required`}${wrong}`;
}

function control(field: Exclude<Labeled, { kind: 'radio' | 'checkbox' }> | ChoiceField, view: FieldView): Html {
  const value = view.values?.[0] ?? ('value' in field ? (field.value ?? '') : '');
  switch (field.kind) {
    case 'textarea':
      return html`<textarea ${common(field, view)}${placeholder(field)}>\n${value}</textarea>`;
    case 'file':
      return html`<input type="file" ${common(field, view)}${field.multiple && html` multiple`}${
        field.accept.length > 0 && html` accept="${field.accept.join(',')}"`
      }>`;
    case 'dropdown':
    case 'radio':
    case 'checkbox':
      return select(field, view);
    case 'password':
      return html`<input type="password" autocomplete="off" ${common(field, view)}${placeholder(field)}>`;
    default:
      return html`<input type="${field.kind}"${field.kind === 'number' && html` step="any"`}${autocomplete(field)} ${common(
        field,
        view,
      )}${placeholder(field)} value="${value}">`;
  }
}

function placeholder({ placeholder: text }: TextField): Html | undefined {
  return text === undefined ? undefined : html` placeholder="${text}"`;
}

const purposes: Readonly<Record<string, string>> = {
  name: 'name',
  'full name': 'name',
  'first name': 'given-name',
  'last name': 'family-name',
  phone: 'tel',
  'phone number': 'tel',
  company: 'organization',
  organization: 'organization',
  country: 'country-name',
  city: 'address-level2',
};

/** Autocomplete purpose of fields about the user, guessed from the label. */
function autocomplete({ kind, label }: TextField): Html | undefined {
  const key = label.toLowerCase();
  const purpose = kind === 'email' ? 'email' : Object.hasOwn(purposes, key) ? purposes[key] : undefined;
  return purpose === undefined ? undefined : html` autocomplete="${purpose}"`;
}

function select(field: ChoiceField, view: FieldView): Html {
  const chosen = chosenOf(field, view);
  const options = field.options.map(
    (option) => html`<option${chosen.has(option) && html` selected`} value="${option}">${option}</option>`,
  );
  const none = !field.multiple && html`<option value="">Select an option</option>`;
  return html`<select ${common(field, view)}${field.multiple && html` multiple`}>${none}${options}</select>`;
}

function group(field: ChoiceField, view: FieldView): Html {
  const { id, error } = view;
  const chosen = chosenOf(field, view);
  const needed = field.kind === 'radio' && field.required;
  const options = field.options.map(
    (option, i) =>
      html`<label class="option"><input type="${field.kind}"${i === 0 && html` id="${id}"`} name="${id}" value="${option}"${
        chosen.has(option) && html` checked`
      }${needed && html` required`}${error !== undefined && html` aria-invalid="true"`}> <span>${option}</span></label>\n`,
  );
  return html`<fieldset class="field"${error !== undefined && html` aria-describedby="${id}-error"`}>
<legend>${labelOf(field)}</legend>
${errorOf(view)}${options}</fieldset>
`;
}

function chosenOf({ value, multiple }: ChoiceField, { values }: FieldView): Set<string> {
  if (values) return new Set(values);
  return new Set(multiple ? (value ?? '').split(',').map((text) => text.trim()) : [value ?? '']);
}
