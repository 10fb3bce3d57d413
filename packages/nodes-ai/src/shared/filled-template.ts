import { NodeOperationError } from '@sluice/node-sdk';

/**
 * Maximum length after substitution; no model reads more. A template may repeat a long value many
 * times.
 */
const maxLength = 64 * 1024 * 1024;

/** The template with names in braces replaced by their values. */
export function filled(template: string, values: Readonly<Record<string, string>>): string {
  let length = template.length;
  return template.replace(/\{(\w{1,40})\}/g, (whole, name: string) => {
    if (!Object.hasOwn(values, name)) return whole;
    const value = values[name] ?? '';
    length += value.length;
    if (length > maxLength)
      throw new NodeOperationError(`the prompt has more than ${maxLength} characters`, {
        description: 'Send less text at a time, or use the value only once in the prompt',
      });
    return value;
  });
}
