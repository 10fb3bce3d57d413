import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { setOwn } from '../../shared/field-path.ts';

/**
 * The response to `INFO` as an object: numbers as numbers, `keys=1,expires=0` as a nested object.
 */
export function parseInfo(text: string): JsonObject {
  const info: JsonObject = {};
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0 && !line.startsWith('#')) setOwn(info, line.slice(0, colon), infoValue(line.slice(colon + 1)));
  }
  return info;
}

function infoValue(text: string): JsonValue {
  if (!/^\w+=[^,]*(,\w+=[^,]*)*$/.test(text)) return plainValue(text);
  const parts: JsonObject = {};
  for (const part of text.split(',')) {
    const equals = part.indexOf('=');
    setOwn(parts, part.slice(0, equals), plainValue(part.slice(equals + 1)));
  }
  return parts;
}

/** Versions and addresses have several dots, so they remain text. */
function plainValue(text: string): JsonValue {
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
}
