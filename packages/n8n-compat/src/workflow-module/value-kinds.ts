import { isJsonObject } from '@sluice/domain';

export function isResourceLocatorValue(value: unknown): boolean {
  return isJsonObject(value) && 'mode' in value && 'value' in value && '__rl' in value;
}

export function isResourceMapperValue(value: unknown): boolean {
  return isJsonObject(value) && 'mappingMode' in value && 'schema' in value && 'value' in value;
}

export function isBinaryValue(value: unknown): boolean {
  return isJsonObject(value) && 'mimeType' in value && ('data' in value || 'id' in value);
}

export function isObjectEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof Set || value instanceof Map) return value.size === 0;
  if (value instanceof Date) return false;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

export function getValueDescription(value: unknown): string {
  if (typeof value === 'object') return value === null ? "'null'" : Array.isArray(value) ? 'array' : 'object';
  return `'${String(value)}'`;
}
