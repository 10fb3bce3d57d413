import {
  type FormField,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  ownProperty,
} from '@sluice/node-sdk';
import { stringOf } from './coerced-text.ts';
import { describeValue, listParameter, type ParameterSource, parseJsonParameter, textParameter } from './parameters.ts';

/** A limit far beyond any realistic form. */
const maxFields = 500;
/**
 * Maximum number of options in all fields together; a form's page has several elements for each.
 */
const maxOptions = 10_000;
/** Members of a form's item that describe the form itself. */
export const formMembers: readonly string[] = ['submittedAt', 'formMode', 'formQueryParameters'];
const textKinds = ['text', 'textarea', 'password', 'email', 'number', 'date'] as const;
const choiceKinds = ['dropdown', 'radio', 'checkbox'] as const;

/**
 * The fields of a form, from the list or JSON in its parameters. Throws `NodeOperationError`s that
 * contain the field name.
 */
export function formFields(source: ParameterSource, typeVersion: number): FormField[] {
  const asJson = textParameter(source, 'defineForm', 0, 'fields') === 'json';
  const entries = asJson ? jsonEntries(source) : listParameter(source, 'formFields.values', 0);
  if (entries.length > maxFields)
    throw new NodeOperationError(`a form may have ${maxFields} fields at most`, {
      description: 'Spread the fields over several pages with Form nodes',
    });
  const fields = entries.map((entry, index) => fieldOf(new FieldEntry(entry, index + 1, typeVersion)));
  const options = fields.reduce((sum, field) => sum + ('options' in field ? field.options.length : 0), 0);
  if (options > maxOptions)
    throw new NodeOperationError(`the fields of a form may have ${maxOptions} options at most`, {
      description: 'Let users enter text instead',
    });
  refuseNames(fields);
  return fields;
}

/**
 * Throws if two fields have the same name, or if a field has the name of a member of the form's
 * item.
 */
function refuseNames(fields: readonly FormField[]): void {
  const names = new Set<string>();
  for (const { name } of fields) {
    if (name === undefined) continue;
    if (names.has(name))
      throw new NodeOperationError(`two fields of the form have the name "${name.slice(0, 100)}"`, {
        description: 'Give one of them another name',
      });
    names.add(name);
  }
  const reserved = formMembers.find((name) => names.has(name));
  if (reserved !== undefined)
    throw new NodeOperationError(`a field of the form cannot have the name "${reserved}": the item uses it for other data`, {
      description: 'Give the field another name',
    });
}

function jsonEntries(source: ParameterSource): JsonObject[] {
  const parameter = source.parameter<JsonValue>('jsonOutput', 0, []);
  const entries = typeof parameter === 'string' ? parseJsonParameter('jsonOutput', parameter, 0) : parameter;
  if (Array.isArray(entries) && entries.every((entry) => isJsonObject(entry))) return entries;
  throw new NodeOperationError(`the parameter "jsonOutput" must be a list of fields, but is ${describeValue(entries)}`, {
    description: 'Write a list such as [{ "fieldLabel": "Name" }]',
  });
}

function fieldOf(entry: FieldEntry): FormField {
  const type = entry.text('fieldType') || 'text';
  if (type === 'html') {
    const name = entry.text('elementName').trim();
    return { kind: 'html', html: entry.text('html'), ...(name !== '' && { name }) };
  }
  if (type === 'hiddenField')
    return { kind: 'hidden', name: entry.required('fieldName'), value: entry.text('fieldValue') || entry.text('defaultValue') };
  const named = { name: entry.name(), label: entry.label(), required: entry.flag('requiredField', false) };
  if (type === 'file')
    return { kind: 'file', ...named, multiple: entry.flag('multipleFiles', true), accept: entry.list('acceptFileTypes') };
  const value = entry.text('defaultValue');
  const choice = choiceKinds.find((kind) => kind === type);
  if (choice) return { kind: choice, ...named, ...entry.choices(choice), ...(value !== '' && { value }) };
  const text = textKinds.find((kind) => kind === type);
  if (!text) throw entry.error(`has an unknown type: "${type.slice(0, 50)}"`);
  const placeholder = entry.text('placeholder');
  const first = text === 'date' ? value.slice(0, 10) : value;
  return { kind: text, ...named, ...(placeholder !== '' && { placeholder }), ...(first !== '' && { value: first }) };
}

/** One field as stored in the parameters. */
class FieldEntry {
  readonly #entry: JsonObject;
  readonly #number: number;
  readonly #typeVersion: number;

  constructor(entry: JsonObject, number: number, typeVersion: number) {
    this.#entry = entry;
    this.#number = number;
    this.#typeVersion = typeVersion;
  }

  error(message: string): NodeOperationError {
    return new NodeOperationError(`field ${this.#number} of the form ${message}`, {
      description: "Change the field in the form's list",
    });
  }

  text(key: string): string {
    const value = ownProperty(this.#entry, key) ?? '';
    if (typeof value === 'object') throw this.error(`has ${describeValue(value)} for "${key}"`);
    return stringOf(value);
  }

  required(key: string): string {
    const value = this.text(key).trim();
    if (value === '') throw this.error(`has no "${key}"`);
    return value;
  }

  flag(key: string, fallback: boolean): boolean {
    return (this.text(key) || stringOf(fallback)) === 'true';
  }

  count(key: string, fallback: number): number {
    const count = Number(this.text(key) || fallback);
    if (Number.isInteger(count) && count >= 0) return count;
    throw this.error(`needs a whole number for "${key}"`);
  }

  list(key: string): string[] {
    const parts = this.text(key).split(',');
    return parts.map((part) => part.trim().toLowerCase()).filter((part) => part !== '');
  }

  /** From 2.4 on, fields have names in addition to labels. */
  name(): string {
    const name = this.#typeVersion >= 2.4 ? this.text('fieldName').trim() : '';
    return name === '' ? this.required('fieldLabel') : name;
  }

  label(): string {
    return this.text('fieldLabel').trim() || this.name();
  }

  choices(kind: (typeof choiceKinds)[number]): { options: string[]; multiple: boolean; atLeast?: number; atMost?: number } {
    const options = [...new Set(this.#options())];
    if (options.length === 0) throw this.error('has no options to choose from');
    const multiple = kind === 'checkbox' || (kind === 'dropdown' && this.flag('multiselect', false));
    return { options, multiple, ...(kind === 'checkbox' && this.#limits()) };
  }

  #options(): string[] {
    const group = ownProperty(this.#entry, 'fieldOptions');
    const values = isJsonObject(group) ? (ownProperty(group, 'values') ?? []) : [];
    return [values].flat().map((value) => {
      const option = isJsonObject(value) ? (ownProperty(value, 'option') ?? '') : '';
      if (typeof option === 'object' || option === '') throw this.error('has an option without text');
      return stringOf(option);
    });
  }

  #limits(): { atLeast?: number; atMost?: number } {
    switch (this.text('limitSelection')) {
      case 'exact': {
        const count = this.count('numberOfSelections', 1);
        return { atLeast: count, atMost: count };
      }
      case 'range':
        return { atLeast: this.count('minSelections', 0), atMost: this.count('maxSelections', 1) };
      default:
        return {};
    }
  }
}
