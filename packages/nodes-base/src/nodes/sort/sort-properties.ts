import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, disableDotNotation, list, options, text, where } from '../../shared/properties.ts';

/** The entries of `sortFieldsUi`. */
export const sortField: readonly NodeProperty[] = [
  text('fieldName', 'Field Name', 'The field to sort by'),
  choice('order', 'Order', choices(['ascending', 'Ascending'], ['descending', 'Descending'])),
];

export const sortCode = (more: Partial<NodeProperty>): NodeProperty =>
  text(
    'code',
    'Code',
    'Body of a function of the items `a` and `b` that returns a number less than, equal to, or greater than 0',
    {
      typeOptions: { editor: 'codeNodeEditor', editorLanguage: 'javaScript' },
      ...more,
    },
  );

export const sortTypes = choices(
  ['simple', 'Simple', 'By fields: strings case-insensitively, missing values last'],
  ['random', 'Random', 'By chance'],
  ['code', 'Code', 'By a function in JavaScript'],
);

export const sortProperties: readonly NodeProperty[] = [
  choice('type', 'Type', sortTypes),
  list('sortFieldsUi', 'Fields To Sort By', 'sortField', sortField, where({ type: ['simple'] })),
  sortCode(where({ type: ['code'] })),
  options([disableDotNotation], where({ type: ['simple'] })),
];
