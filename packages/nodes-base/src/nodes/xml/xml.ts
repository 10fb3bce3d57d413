import { type ExecuteContext, type Item, type JsonObject, NodeOperationError, type NodeType } from '@sluice/node-sdk';
import { parseFieldPath, readField, setOwn } from '../../shared/field-path.ts';
import { choiceParameter, describeValue, textParameter } from '../../shared/parameters.ts';
import { failedOrThrow } from '../../shared/per-item.ts';
import { readXml } from './read-xml.ts';
import { writeXml } from './write-xml.ts';
import { xmlProperties } from './xml-properties.ts';

export const xml: NodeType = {
  description: {
    displayName: 'XML',
    name: 'xml',
    group: ['transform'],
    version: 1,
    description: 'Converts between XML and JSON',
    defaults: { name: 'XML' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: xmlProperties,
    icon: 'fa:file-code',
    iconColor: 'purple',
    subtitle: '={{ $parameter["mode"] }}',
  },
  async execute(context) {
    const converted: Item[] = [];
    for (const [itemIndex, item] of context.items().entries()) {
      try {
        converted.push({ json: await convert(context, item.json, itemIndex), pairedItem: { item: itemIndex } });
      } catch (error) {
        converted.push(failedOrThrow(context, itemIndex, error));
      }
    }
    return [converted];
  },
};

/** The result replaces the item's JSON. */
async function convert(context: ExecuteContext, json: JsonObject, itemIndex: number): Promise<JsonObject> {
  const name = textParameter(context, 'dataPropertyName', itemIndex, 'data').trim() || 'data';
  if (choiceParameter(context, 'mode', itemIndex, ['jsonToxml', 'xmlToJson'], 'xmlToJson') === 'jsonToxml') {
    const result: JsonObject = {};
    setOwn(result, name, await writeXml(context, json, itemIndex));
    return result;
  }
  const text = readField(json, parseFieldPath(name));
  if (typeof text === 'string') return readXml(context, text, itemIndex);
  throw new NodeOperationError(`the field "${name}" must contain XML, but is ${describeValue(text)}`, {
    itemIndex,
    description: 'Name the field that contains the XML in "dataPropertyName"',
  });
}
