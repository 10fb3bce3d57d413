import { type ExecuteContext, errorMessage, type JsonObject, NodeOperationError } from '@sluice/node-sdk';
import { booleanParameter, textParameter } from '../../shared/parameters.ts';

/**
 * Converts JSON to an XML document: objects become elements, lists become elements of the same
 * name.
 */
export async function writeXml(context: ExecuteContext, json: JsonObject, itemIndex: number): Promise<string> {
  const { Builder } = await import('xml2js');
  const flag = (name: string) => booleanParameter(context, `options.${name}`, itemIndex, false);
  const key = (name: string, fallback: string) => textParameter(context, `options.${name}`, itemIndex, fallback) || fallback;
  const rootName = textParameter(context, 'options.rootName', itemIndex).trim();
  const builder = new Builder({
    allowSurrogateChars: flag('allowSurrogateChars'),
    attrkey: key('attrkey', '$'),
    cdata: flag('cdata'),
    charkey: key('charkey', '_'),
    headless: flag('headless'),
    ...(rootName && { rootName }),
  });
  try {
    return builder.buildObject(json);
  } catch (error) {
    throw new NodeOperationError(`the item cannot be written as XML: ${errorMessage(error)}`, {
      itemIndex,
      description: 'Field names must be valid element names: letters and digits, not starting with a digit',
    });
  }
}
