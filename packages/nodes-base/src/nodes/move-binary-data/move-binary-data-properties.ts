import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, options, text, toggle, where } from '../../shared/properties.ts';
import { encodingChoices } from '../../shared/text-encoding.ts';

const toJson = where({ mode: ['binaryToJson'] });
const toBinary = where({ mode: ['jsonToBinary'] });
const keepSource = toggle('keepSource', 'Keep Source', 'Whether the item keeps the source');
const encoding = choice('encoding', 'Encoding', encodingChoices, { description: 'Text encoding' });

export const moveBinaryDataProperties: readonly NodeProperty[] = [
  choice('mode', 'Mode', choices(['binaryToJson', 'Binary to JSON'], ['jsonToBinary', 'JSON to Binary'])),
  toggle('setAllData', 'Set All Data', 'Whether the file’s JSON replaces all fields', {
    default: true,
    ...toJson,
  }),
  toggle('convertAllData', 'Convert All Data', 'Whether to store all fields in the file, as JSON', {
    default: true,
    ...toBinary,
  }),
  text('sourceKey', 'Source Key', 'Property with the file, or the field to convert to one', {
    default: 'data',
    ...where({ mode: ['binaryToJson', 'jsonToBinary'] }),
  }),
  text('destinationKey', 'Destination Key', 'Field for the content, or property for the file', {
    default: 'data',
  }),
  options(
    [
      encoding,
      toggle('stripBOM', 'Strip BOM', 'Whether to remove a byte order mark at the start', { default: true }),
      toggle('jsonParse', 'JSON Parse', 'Whether the text is read as JSON, with "Set All Data" off'),
      toggle('keepAsBase64', 'Keep As Base64', 'Whether to store the content in base64, with "Set All Data" off'),
      keepSource,
    ],
    toJson,
  ),
  options(
    [
      toggle('addBOM', 'Add Byte Order Mark (BOM)', 'Whether the text starts with a byte order mark'),
      toggle('dataIsBase64', 'Data Is Base64', 'Whether the field contains base64, with "Convert All Data" off'),
      encoding,
      text('fileName', 'File Name', 'File name with its extension'),
      keepSource,
      text('mimeType', 'MIME Type', 'The type of the file', { default: 'application/json' }),
      toggle('useRawData', 'Use Raw Data', 'Whether to use text as is instead of parsing it as JSON'),
    ],
    toBinary,
  ),
];
