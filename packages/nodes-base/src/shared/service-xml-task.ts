/**
 * A work thread's task: parses a service's XML response to JSON, without attributes and prefixes of
 * names.
 */
export async function* task(text: string): AsyncGenerator<unknown> {
  if (text.trim() === '') return;
  const { Parser, processors } = await import('xml2js');
  const tagNameProcessors = [processors.stripPrefix];
  yield await new Parser({ explicitArray: false, ignoreAttrs: true, tagNameProcessors }).parseStringPromise(text);
}
