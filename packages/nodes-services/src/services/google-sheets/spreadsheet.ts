import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { filePath, inAllDrives } from '../../shared/google-drive.ts';
import { documentOptions, documentProperty, newSheets } from './google-sheets-properties.ts';
import { documentOf } from './sheet-target.ts';

export const spreadsheet: Resource = {
  displayName: 'Document',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a document',
      properties: [text('title', 'Title', 'Title of the document', { required: true }), newSheets, documentOptions],
      run: (item) => {
        const sheets = item.entries('sheetsUi.sheetValues').map(
          ({ title = '', propertiesUi }): JsonValue => ({
            properties: { title, ...((propertiesUi ?? {}) as JsonObject) },
          }),
        );
        const properties = { title: item.required('title'), ...item.fields('options') };
        return item.send({ path: '/spreadsheets', json: { properties, ...(sheets.length > 0 && { sheets }) } });
      },
    },
    deleteSpreadsheet: {
      displayName: 'Delete',
      description: 'Deletes a document permanently',
      properties: [documentProperty],
      run: (item) => item.perform({ method: 'DELETE', path: filePath(documentOf(item)), query: inAllDrives }),
    },
  },
};
