import { AppError, gatherBytes, type HttpResponse, type HttpStreamedResponse, headerText } from '@sluice/node-sdk';

/** Default byte limit of a response that is read as JSON or text. */
export const maxTextBytes = 50 * 1024 * 1024;

type Headers = HttpResponse['headers'];

/** The media type of a response in lower case, without parameters; empty if absent. */
export function mediaType(headers: Headers): string {
  return headerText(headers, 'content-type').split(';', 1).join().trim().toLowerCase();
}

/** Decodes bytes in the response's charset; UTF-8 if it is absent or unknown. */
export function decodeText(bytes: Uint8Array, headers: Headers): string {
  const charset = /;\s*charset="?([\w-]+)/i.exec(headerText(headers, 'content-type'))?.[1] ?? 'utf-8';
  return decoder(charset).decode(bytes);
}

function decoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

/** Reads a whole body. Throws `HTTP_TOO_LARGE`. */
export async function readBytes({ body }: HttpStreamedResponse, maxBytes = maxTextBytes): Promise<Uint8Array> {
  const { bytes, truncated } = await readStart(body, maxBytes);
  if (truncated) throw new AppError({ code: 'HTTP_TOO_LARGE', message: `the response is larger than ${maxBytes} bytes` });
  return bytes;
}

/** Reads the beginning of a body and discards the rest. */
export async function readStart(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<{ bytes: Uint8Array; truncated: boolean }> {
  const gathered = await gatherBytes(body, maxBytes);
  return { bytes: gathered.bytes().subarray(0, maxBytes), truncated: gathered.length > maxBytes };
}
