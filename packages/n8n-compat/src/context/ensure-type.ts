import { ApplicationError } from '../workflow-module/errors.ts';

/** Types to which a node can convert a value. */
export type EnsuredType = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'json';

/** Converts a value to the requested type. Throws if that is not possible. */
export function ensureType(value: unknown, type: EnsuredType, path: string): unknown {
  switch (type) {
    case 'string':
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
    case 'number': {
      const number = Number(value);
      if (Number.isNaN(number)) throw wrong(path, type);
      return number;
    }
    case 'boolean':
      return typeof value === 'string' ? value.trim().toLowerCase() === 'true' : Boolean(value);
    case 'array': {
      const list = parsed(value, path, type);
      if (!Array.isArray(list)) throw wrong(path, type);
      return list;
    }
    case 'object':
    case 'json': {
      const object = parsed(value, path, type);
      if (typeof object !== 'object' || object === null) throw wrong(path, type);
      return object;
    }
  }
}

function parsed(value: unknown, path: string, type: string): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    throw wrong(path, type);
  }
}

function wrong(path: string, type: string): Error {
  return new ApplicationError(`Parameter "${path}" could not be converted to ${type}`);
}
