import { isUtf8 } from 'node:buffer';
import {
  AppError,
  errorMessage,
  type JsonValue,
  PayloadTooLargeError,
  parseJson,
  TooManyMembersError,
  ValidationError,
} from '@sluice/domain';
import type { Request, RequestHandler } from 'express';
import { findJsonFaultInSlices, type JsonFault, type JsonRules, maxJsonParts } from '../json/find-json-fault.ts';
import { decompressed, hasBody, isEmptyBody, readBytes } from './read-bytes.ts';

export interface BodyLimits {
  limitBytes: number;
  /** Levels of nesting. */
  maxDepth: number;
}

/**
 * Reads a JSON body into `request.body`, which stays `undefined` without a body. Refuses other
 * content types before the body arrives.
 */
export function jsonBody({ limitBytes, maxDepth }: BodyLimits): RequestHandler {
  return async (request, _response, next) => {
    const { 'transfer-encoding': chunked, 'content-length': length } = request.headers;
    if (hasBody(request) && !request.is('application/json') && !(await isEmptyBody(request)))
      throw new AppError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'the body must be application/json' });
    if (chunked === undefined && length === undefined) return next();
    const bytes = await decompressed(request, await readBytes(request, limitBytes), limitBytes);
    assertUtf8(bytes, charsetOf(request));
    await assertValidJson(bytes, { maxDepth, uniqueKeys: true });
    request.body = bytes.length === 0 ? {} : await parseBody(bytes.toString('utf8'));
    next();
  };
}

/** Charset of the content type; default UTF-8. */
function charsetOf(request: Request): string {
  return /;\s*charset="?([^\s;"]+)/i.exec(request.get('content-type') ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
}

/** Runs before the parser, which would replace invalid UTF-8. */
function assertUtf8(text: Buffer, charset: string): void {
  if (charset !== 'utf-8') throw new AppError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'the body must be UTF-8' });
  if (!isUtf8(text)) throw new ValidationError('the body is not valid UTF-8', '');
}

/** Maximum length of a path in a response, in characters: it contains keys chosen by the caller. */
const maxPathLength = 256;

/**
 * Checks the JSON of a body before it is parsed. Throws for JSON that would block the event loop,
 * or that parsing would change (repeated keys, numbers out of range).
 */
export async function assertValidJson(text: Buffer, rules: JsonRules): Promise<void> {
  const jsonFault = await findJsonFaultInSlices(text, rules);
  if (jsonFault) throw refusalOf(jsonFault, rules);
}

/** The value of a body that `assertValidJson` accepted, parsed in time slices. */
export async function parseBody(text: string): Promise<JsonValue> {
  try {
    return (await parseJson(text.replace(/^\uFEFF/, ''))) as JsonValue;
  } catch (error) {
    if (error instanceof TooManyMembersError) throw new PayloadTooLargeError(error.message);
    throw new ValidationError(`the body is not valid JSON${positionOf(error)}`, '');
  }
}

/** Position of the fault, if V8's message contains it, as most do for up to 64 KiB. */
function positionOf(error: unknown): string {
  const message = errorMessage(error);
  if (message.startsWith('Unexpected end')) return ': it ends too early';
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(message) ?? [];
  return line === undefined ? '' : `: see line ${line}, column ${column}`;
}

function refusalOf(jsonFault: JsonFault, { maxDepth }: JsonRules): AppError {
  switch (jsonFault.fault) {
    case 'too deep':
      return new ValidationError(`the body is nested deeper than ${maxDepth} levels`, '');
    case 'number out of range':
      return new ValidationError('a number is out of range', (jsonFault.path ?? '').slice(0, maxPathLength));
    case 'too many parts':
      return new PayloadTooLargeError(`the body has more than ${maxJsonParts} parts: arrays, objects, keys and strings`);
    case 'repeated key': {
      const issue = { path: jsonFault.path.slice(0, maxPathLength), message: 'appears more than once' };
      return new ValidationError('the request is not valid', [issue]);
    }
  }
}
