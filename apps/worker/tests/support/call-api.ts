export const ownerKey = 'an-owner-key-of-any-format';

/** A request to a test's API, as its owner. */
export async function callApi(
  { port }: { port: number },
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
  // biome-ignore lint/suspicious/noExplicitAny: tests access responses freely
): Promise<{ status: number; body: any }> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: { 'x-service-api-key': ownerKey, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}
