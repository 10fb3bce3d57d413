import { type JsonValue, parseJson, stringifyJson } from '@sluice/node-sdk';
import { errorIn, statusError } from './status-error.ts';

/** Posts JSON. Resolves to the JSON of the response; throws `statusError` for an error status. */
export async function postedJson(
  send: typeof globalThis.fetch,
  url: string,
  body: JsonValue,
  signal: AbortSignal | undefined,
): Promise<JsonValue> {
  const response = await send(url, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: await stringifyJson(body),
    ...(signal && { signal }),
  });
  const answer = await jsonOf(response);
  if (response.ok) return answer;
  const { status, headers } = response;
  const error = errorIn(answer);
  throw statusError({ status, headers: Object.fromEntries(headers), error, message: 'no message' }, undefined);
}

async function jsonOf(response: Response): Promise<JsonValue> {
  try {
    return (await parseJson(await response.text())) as JsonValue;
  } catch (cause) {
    if (!response.ok) return null;
    throw cause;
  }
}
