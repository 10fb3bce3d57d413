import type { NodeType } from '@sluice/node-sdk';
import { choice, choices, list, names, options, text, toggle, when, where } from '@sluice/nodes-base/node-tools';
import { supplyDocuments } from './supply-documents.ts';

const binary = { dataType: ['binary'] };

/** Converts items or their files to documents. */
export const documentDefaultDataLoader: NodeType = {
  description: {
    displayName: 'Default Data Loader',
    name: 'document-default-data-loader',
    group: ['transform'],
    version: [1, 1.1],
    description: 'Converts item JSON or files to documents, and splits them',
    defaults: { name: 'Default Data Loader' },
    inputs: [],
    outputs: ['ai_document'],
    subNodes: [
      {
        type: 'ai_textSplitter',
        displayName: 'Text Splitter',
        maxCount: 1,
        displayOptions: { show: { '@version': [1] } },
      },
      {
        type: 'ai_textSplitter',
        displayName: 'Text Splitter',
        required: true,
        maxCount: 1,
        displayOptions: { show: { '@version': [1.1], textSplittingMode: ['custom'] } },
      },
    ],
    properties: [
      choice('dataType', 'Type of Data', choices(['json', 'JSON'], ['binary', 'Binary', 'files of the items'])),
      choice(
        'jsonMode',
        'Mode',
        choices(['allInputData', 'Load All Input Data', 'the whole JSON of an item'], ['expressionData', 'Load Specific Data']),
        where({ dataType: ['json'] }),
      ),
      text('jsonData', 'Data', 'Text, or JSON, usually an expression', {
        acceptsAnyValue: true,
        ...where({ dataType: ['json'], jsonMode: ['expressionData'] }),
      }),
      choice(
        'binaryMode',
        'Mode',
        choices(['allInputData', 'Load All Input Data', 'all files of an item'], ['specificField', 'Load Specific Data']),
        where(binary),
      ),
      choice(
        'loader',
        'Data Format',
        choices(
          ['auto', 'Automatically Detect by MIME Type'],
          ['csvLoader', 'CSV', 'a document for each row'],
          ['docxLoader', 'DOCX'],
          ['epubLoader', 'EPUB', 'not supported'],
          ['jsonLoader', 'JSON'],
          ['pdfLoader', 'PDF'],
          ['textLoader', 'Text'],
        ),
        where(binary),
      ),
      text('binaryDataKey', 'Input Data Field Name', 'Property of the item with the file', {
        default: 'data',
        ...where({ ...binary, binaryMode: ['specificField'] }),
      }),
      choice(
        'textSplittingMode',
        'Text Splitting',
        choices(
          ['simple', 'Simple', 'chunks of 1,000 characters, of which 200 overlap'],
          ['custom', 'Custom', 'a text splitter that you connect'],
        ),
        when([1.1]),
      ),
      options([
        list('metadata', 'Metadata', 'metadataValues', [
          text('name', 'Name', 'Name of a value that each document gets'),
          text('value', 'Value', 'The value'),
        ]),
        toggle('splitPages', 'Split Pages in PDF', 'Whether each page is a document', { default: true }),
        text('column', 'CSV Column', 'The column with the text; empty: all of them'),
        text('separator', 'CSV Separator', 'Text between cells', { default: ',' }),
        names('pointers', 'JSON Pointers', 'Values of a JSON file that become documents, as `/title, /body`'),
      ]),
    ],
    computesOnly: true,
    icon: 'fa:file-import',
  },
  unsupported: [{ parameter: 'loader', values: ['epubLoader'], what: 'EPUB files', hint: 'Convert the file to text first' }],
  supply: supplyDocuments,
};
