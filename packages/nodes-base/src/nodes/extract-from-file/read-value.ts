import type { ExecuteContext, JsonObject, JsonValue } from '@sluice/node-sdk';
import { formatFailure, runFormat } from '../../formats/run-format.ts';
import { readBinary } from '../../shared/binary-files.ts';
import { parseJsonText } from '../../shared/json-file.ts';
import { booleanParameter } from '../../shared/parameters.ts';
import { codecParameter } from '../../shared/text-encoding.ts';

/** Operations that read a single value from a file. `binaryToPropery` is the format's spelling. */
export type ValueOperation = 'binaryToPropery' | 'fromIcs' | 'fromJson' | 'text' | 'xml';

export async function readValue(
  context: ExecuteContext,
  operation: ValueOperation,
  itemIndex: number,
  property: string,
): Promise<JsonValue> {
  const bytes = await readBinary(context, itemIndex, property);
  if (operation === 'binaryToPropery') return bytes.toString('base64');
  const codec = await codecParameter(context, 'options.encoding', itemIndex);
  const text = await codec.decode(bytes, booleanParameter(context, 'options.stripBOM', itemIndex, true));
  switch (operation) {
    case 'text':
    case 'xml':
      return text;
    case 'fromJson':
      return parseJsonText(text, itemIndex);
    case 'fromIcs':
      return readCalendar(context, text, itemIndex);
  }
}

async function readCalendar(context: ExecuteContext, text: string, itemIndex: number): Promise<JsonValue> {
  try {
    const [calendar = {}] = await runFormat(context, 'readCalendar', { text });
    return calendar as JsonObject;
  } catch (error) {
    throw formatFailure(error, 'the calendar cannot be read', itemIndex, 'Check that the file is an iCalendar file (.ics)');
  }
}
