import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { textOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

type Build = (field: (name: string, fallback?: JsonValue) => JsonValue) => JsonObject;

/** Insert position: at an index, or at the end of a segment. */
const place = (): Build => (field) => {
  const segmentId = segmentOf(field);
  return field('locationChoice', 'endOfSegmentLocation') === 'location'
    ? { location: { segmentId, index: field('index', 1) } }
    : { endOfSegmentLocation: { segmentId } };
};

const segmentOf = (field: Parameters<Build>[0]): JsonValue =>
  field('insertSegment', 'body') === 'body' ? '' : field('segmentId', '');

const range: Build = (field) => ({
  range: { segmentId: segmentOf(field), startIndex: field('startIndex', 0), endIndex: field('endIndex', 0) },
});

const cell: Build = (field) => ({
  tableStartLocation: { segmentId: segmentOf(field), index: field('index', 1) },
  rowIndex: field('rowIndex', 0),
  columnIndex: field('columnIndex', 0),
});

/**
 * `object action` → Google's request:
 * https://developers.google.com/workspace/docs/api/reference/rest/v1/documents/request
 */
const requests: ReadonlyMap<string, Build> = new Map<string, Build>([
  ['text insert', (field) => ({ insertText: { text: field('text', ''), ...place()(field) } })],
  [
    'text replaceAll',
    (field) => ({
      replaceAllText: {
        replaceText: field('replaceText', ''),
        containsText: { text: field('text', ''), matchCase: field('matchCase', false) },
      },
    }),
  ],
  ['pageBreak insert', (field) => ({ insertPageBreak: place()(field) })],
  ['table insert', (field) => ({ insertTable: { rows: field('rows', 0), columns: field('columns', 0), ...place()(field) } })],
  [
    'footer create',
    (field) => ({
      createFooter: {
        type: 'DEFAULT',
        sectionBreakLocation: { segmentId: segmentOf(field), index: field('index', 0) },
      },
    }),
  ],
  [
    'header create',
    (field) => ({
      createHeader: {
        type: 'DEFAULT',
        sectionBreakLocation: { segmentId: segmentOf(field), index: field('index', 0) },
      },
    }),
  ],
  ['namedRange create', (field) => ({ createNamedRange: { name: field('name', ''), ...range(field) } })],
  [
    'paragraphBullets create',
    (field) => ({
      createParagraphBullets: { bulletPreset: field('bulletPreset', 'BULLET_DISC_CIRCLE_SQUARE'), ...range(field) },
    }),
  ],
  ['paragraphBullets delete', (field) => ({ deleteParagraphBullets: range(field) })],
  ['footer delete', (field) => ({ deleteFooter: { footerId: field('footerId', '') } })],
  ['header delete', (field) => ({ deleteHeader: { headerId: field('headerId', '') } })],
  [
    'namedRange delete',
    (field) => ({
      deleteNamedRange:
        field('namedRangeReference', 'namedRangeId') === 'name'
          ? { name: field('value', '') }
          : { namedRangeId: field('value', '') },
    }),
  ],
  ['positionedObject delete', (field) => ({ deletePositionedObject: { objectId: field('objectId', '') } })],
  ['tableColumn delete', (field) => ({ deleteTableColumn: { tableCellLocation: cell(field) } })],
  ['tableRow delete', (field) => ({ deleteTableRow: { tableCellLocation: cell(field) } })],
  [
    'tableColumn insert',
    (field) => ({
      insertTableColumn: { tableCellLocation: cell(field), insertRight: field('insertRight', false) },
    }),
  ],
  [
    'tableRow insert',
    (field) => ({ insertTableRow: { tableCellLocation: cell(field), insertBelow: field('insertBelow', false) } }),
  ],
]);

/** The requests for the actions, in order. */
export function documentRequests(item: ServiceItem): JsonObject[] {
  return item.entries('actionsUi.actionFields').map((entry, index) => {
    const { object = 'text', action = 'insert' } = entry;
    const kind = `${textOf(object)} ${textOf(action)}`;
    const build = requests.get(kind);
    if (build) return build((name, fallback = null) => entry[name] ?? fallback);
    const message = `the action ${index + 1} does not exist: ${kind.slice(0, 100)}`;
    throw item.error(message, `Choose one of: ${[...requests.keys()].join(', ')}`);
  });
}
