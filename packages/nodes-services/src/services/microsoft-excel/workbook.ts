import { collection, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { graphPages, odataText } from '../../shared/microsoft-graph.ts';
import { filePath, pageSize, selected, workbookPath } from './excel-client.ts';
import { fieldsOf, listProperties, responseFields, workbook as workbookProperty } from './excel-properties.ts';

/** A search finds all files with the text in their names or contents. */
export const workbookSearch = (words = '.xlsx'): string => `/root/search(q=${encodeURIComponent(odataText(words))})`;

export const workbook: Resource = {
  displayName: 'Workbook',
  initial: 'getAll',
  operations: {
    addWorksheet: {
      displayName: 'Add Sheet',
      description: 'Adds a worksheet',
      properties: [
        workbookProperty,
        collection('additionalFields', 'Additional Fields', [text('name', 'Name', 'Name of the worksheet')]),
      ],
      run: (item) => item.send({ path: `${workbookPath(item)}/worksheets/add`, json: item.fields('additionalFields') }),
    },
    deleteWorkbook: {
      displayName: 'Delete',
      description: 'Deletes a workbook',
      properties: [workbookProperty],
      run: (item) => item.perform({ method: 'DELETE', path: filePath(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the workbooks of the drive',
      properties: [...listProperties, responseFields],
      run(item) {
        const limit = item.limit(100);
        const query = { ...selected(fieldsOf(item)), $top: Math.min(limit, pageSize) };
        return item.list({ path: workbookSearch(), query }, graphPages, limit);
      },
    },
  },
};
