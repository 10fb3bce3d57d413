import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, list, number, options, text, toggle, where } from '@sluice/nodes-base/node-tools';

export const documentUrl = text('documentURL', 'Doc ID or URL', 'The document, by its ID or its URL', { required: true });

const objects = choices(
  ['footer', 'Footer'],
  ['header', 'Header'],
  ['namedRange', 'Named Range'],
  ['pageBreak', 'Page Break'],
  ['paragraphBullets', 'Paragraph Bullets'],
  ['positionedObject', 'Positioned Object'],
  ['table', 'Table'],
  ['tableColumn', 'Table Column'],
  ['tableRow', 'Table Row'],
  ['text', 'Text'],
);

const actions = choices(
  ['insert', 'Insert', 'Of a page break, table, table column, table row, or text'],
  ['create', 'Create', 'Of a footer, header, named range, or paragraph bullets'],
  ['delete', 'Delete', 'Of all others except page breaks, tables, and text'],
  ['replaceAll', 'Find and Replace Text'],
);

const presets = [
  'BULLET_DISC_CIRCLE_SQUARE',
  'BULLET_DIAMONDX_ARROW3D_SQUARE',
  'BULLET_CHECKBOX',
  'BULLET_ARROW_DIAMOND_DISC',
  'BULLET_STAR_CIRCLE_SQUARE',
  'BULLET_ARROW3D_CIRCLE_SQUARE',
  'BULLET_LEFTTRIANGLE_DIAMOND_DISC',
  'BULLET_DIAMONDX_HOLLOWDIAMOND_SQUARE',
  'BULLET_DIAMOND_CIRCLE_SQUARE',
  'NUMBERED_DECIMAL_ALPHA_ROMAN',
  'NUMBERED_DECIMAL_ALPHA_ROMAN_PARENS',
  'NUMBERED_DECIMAL_NESTED',
  'NUMBERED_UPPERALPHA_ALPHA_ROMAN',
  'NUMBERED_UPPERROMAN_UPPERALPHA_DECIMAL',
  'NUMBERED_ZERODECIMAL_ALPHA_ROMAN',
];

const inRange = where({ object: ['paragraphBullets', 'namedRange'] });
const inTable = where({ object: ['tableColumn', 'tableRow'] });
const inserted = { action: ['insert'], object: ['pageBreak', 'table', 'text'] };

/** One request of the update; `object` and `action` determine its fields. */
const actionFields: readonly NodeProperty[] = [
  choice('object', 'Object', objects, { default: 'text' }),
  choice('action', 'Action', actions),
  text('text', 'Text', 'Text to insert or to find', where({ object: ['text'] })),
  text('replaceText', 'New Text', 'Text in its place', where({ action: ['replaceAll'] })),
  toggle('matchCase', 'Match Case', 'Whether uppercase and lowercase letters differ', where({ action: ['replaceAll'] })),
  choice(
    'locationChoice',
    'Insert Location',
    choices(['endOfSegmentLocation', 'At End of Specific Position'], ['location', 'At Index']),
    where(inserted),
  ),
  choice('insertSegment', 'Insert Segment', choices(['body', 'Body'], ['footer', 'Footer'], ['header', 'Header']), {
    description: 'The part of the document',
  }),
  text('segmentId', 'Segment ID', 'ID of the header or footer', where({ insertSegment: ['footer', 'header'] })),
  number('index', 'Index', 1, 'Position, in units of UTF-16 from the start of the part'),
  number('rows', 'Rows', 1, 'Rows of the table', where({ object: ['table'] })),
  number('columns', 'Columns', 1, 'Columns of the table', where({ object: ['table'] })),
  text('name', 'Name', 'Name of the range', where({ object: ['namedRange'], action: ['create'] })),
  number('startIndex', 'Start Index', 0, 'Start of the range', inRange),
  number('endIndex', 'End Index', 0, 'End of the range', inRange),
  choice('bulletPreset', 'Style', choices(...presets.map((one): [string, string] => [one, one])), {
    ...where({ object: ['paragraphBullets'], action: ['create'] }),
  }),
  text('footerId', 'Footer', 'ID of the footer', where({ object: ['footer'], action: ['delete'] })),
  text('headerId', 'Header', 'ID of the header', where({ object: ['header'], action: ['delete'] })),
  choice('namedRangeReference', 'Specify Range By', choices(['namedRangeId', 'ID'], ['name', 'Name']), {
    ...where({ object: ['namedRange'], action: ['delete'] }),
  }),
  text('value', 'ID or Name', 'ID or name of the range', where({ object: ['namedRange'], action: ['delete'] })),
  text('objectId', 'Object ID', 'ID of the object', where({ object: ['positionedObject'] })),
  toggle('insertRight', 'Insert Right', 'Whether the column is right of the cell', where({ object: ['tableColumn'] })),
  toggle('insertBelow', 'Insert Below', 'Whether the row is below the cell', where({ object: ['tableRow'] })),
  number('rowIndex', 'Row Index', 0, 'Row of the cell, from 0', inTable),
  number('columnIndex', 'Column Index', 0, 'Column of the cell, from 0', inTable),
];

export const actionsUi: NodeProperty = {
  ...list('actionsUi', 'Actions', 'actionFields', actionFields),
  description: 'Changes, in order',
};

export const updateFields: NodeProperty = {
  ...options([
    {
      ...list('writeControlObject', 'Write Control Mode', '', []),
      options: [
        {
          name: 'value',
          displayName: 'Value',
          values: [
            choice('control', 'Control', [
              {
                value: 'requiredRevisionId',
                name: 'Required Revision ID',
                description: 'Fails if the document has another revision',
              },
              { value: 'targetRevisionId', name: 'Target Revision ID', description: 'Merges with changes after it' },
            ]),
            text('value', 'Revision ID', 'ID of a revision of the document'),
          ],
        },
      ],
    },
  ]),
  name: 'updateFields',
  displayName: 'Update Fields',
};
