import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { limited, pathOf } from './trello-client.ts';
import { cardId, fields, id, listProperties, pos, shownFields } from './trello-properties.ts';

const checklistId = id('checklistId', 'Checklist ID', 'ID of the checklist');
const ownId = id('id', 'Checklist ID', 'ID of the checklist');
const checkItemId = id('checkItemId', 'Check Item ID', 'ID of the entry');
const name = text('name', 'Name', 'Name', { required: true });
const checkItemPath = (item: ServiceItem) =>
  pathOf(item, 'cards', 'cardId', `/checkItem/${encodeURIComponent(item.id('checkItemId'))}`);

export const checklist: Resource = {
  displayName: 'Checklist',
  initial: 'getAll',
  operations: {
    completedCheckItems: {
      displayName: 'Get Completed Items',
      description: 'Lists the completed checklist items on a card',
      properties: [cardId, fields('additionalFields', [shownFields])],
      run: (item) =>
        item.send({ path: pathOf(item, 'cards', 'cardId', '/checkItemStates'), query: item.fields('additionalFields') }),
    },
    create: {
      displayName: 'Create',
      description: 'Creates a checklist',
      properties: [
        cardId,
        name,
        fields('additionalFields', [text('idChecklistSource', 'Checklist Source', 'ID of a checklist to copy'), pos]),
      ],
      run: (item) => {
        const json = { name: item.required('name'), ...item.fields('additionalFields') };
        return item.send({ path: pathOf(item, 'cards', 'cardId', '/checklists'), json });
      },
    },
    createCheckItem: {
      displayName: 'Create Checklist Item',
      description: 'Adds an entry to a checklist',
      properties: [
        checklistId,
        name,
        fields('additionalFields', [toggle('checked', 'Checked', 'Whether the entry is done'), pos]),
      ],
      run: (item) => {
        const json = { name: item.required('name'), ...item.fields('additionalFields') };
        return item.send({ path: pathOf(item, 'checklists', 'checklistId', '/checkItems'), json });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a checklist',
      properties: [cardId, ownId],
      run: (item) => item.send({ method: 'DELETE', path: pathOf(item, 'checklists', 'id') }),
    },
    deleteCheckItem: {
      displayName: 'Delete Checklist Item',
      description: 'Deletes an entry of a checklist',
      properties: [cardId, checkItemId],
      run: (item) => item.send({ method: 'DELETE', path: checkItemPath(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a checklist',
      properties: [ownId, fields('additionalFields', [shownFields])],
      run: (item) => item.send({ path: pathOf(item, 'checklists', 'id'), query: item.fields('additionalFields') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the checklists of a card',
      properties: [cardId, ...listProperties, fields('additionalFields', [shownFields])],
      run: (item) => limited(item, pathOf(item, 'cards', 'cardId', '/checklists'), item.fields('additionalFields')),
    },
    getCheckItem: {
      displayName: 'Get Checklist Item',
      description: 'Gets an entry of a checklist',
      properties: [cardId, checkItemId, fields('additionalFields', [shownFields])],
      run: (item) => item.send({ path: checkItemPath(item), query: item.fields('additionalFields') }),
    },
    updateCheckItem: {
      displayName: 'Update Checklist Item',
      description: 'Changes an entry of a checklist',
      properties: [
        cardId,
        checkItemId,
        fields('additionalFields', [
          { ...name, required: false },
          choice('state', 'State', choices(['incomplete', 'Incomplete'], ['complete', 'Complete'])),
          text('checklistId', 'Checklist ID', 'ID of the checklist to move it to'),
          pos,
        ]),
      ],
      run: (item) => {
        const { checklistId: idChecklist, ...members } = item.fields('additionalFields');
        return item.send({
          method: 'PUT',
          path: checkItemPath(item),
          json: { ...members, ...(idChecklist !== undefined && { idChecklist }) },
        });
      },
    },
  },
};

/** Maximum number of labels per request; without a limit, Trello returns 50 of a board's labels. */
const maxLabels = 1_000;
const labelId = id('id', 'Label ID', 'ID of the label');
const color: NodeProperty = text('color', 'Color', 'Color of the label, such as `red`; `null` for none');

export const label: Resource = {
  displayName: 'Label',
  initial: 'getAll',
  operations: {
    addLabel: {
      displayName: 'Add to Card',
      description: 'Adds a label to a card',
      properties: [cardId, labelId],
      run: (item) => item.send({ path: pathOf(item, 'cards', 'cardId', '/idLabels'), json: { value: item.id('id') } }),
    },
    create: {
      displayName: 'Create',
      description: 'Creates a label',
      properties: [id('boardId', 'Board', 'The board: by ID or by URL'), name, color],
      run: (item) => {
        const json = { name: item.required('name'), color: item.text('color', 'null') || 'null' };
        return item.send({ path: pathOf(item, 'boards', 'boardId', '/labels'), json });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a label',
      properties: [labelId],
      run: (item) => item.send({ method: 'DELETE', path: pathOf(item, 'labels', 'id') }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a label',
      properties: [labelId, fields('additionalFields', [shownFields])],
      run: (item) => item.send({ path: pathOf(item, 'labels', 'id'), query: item.fields('additionalFields') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the labels of a board',
      properties: [
        id('boardId', 'Board', 'The board: by ID or by URL'),
        ...listProperties,
        fields('additionalFields', [shownFields]),
      ],
      run: (item) =>
        limited(item, pathOf(item, 'boards', 'boardId', '/labels'), { ...item.fields('additionalFields'), limit: maxLabels }),
    },
    removeLabel: {
      displayName: 'Remove From Card',
      description: 'Removes a label from a card',
      properties: [cardId, labelId],
      run: (item) =>
        item.send({
          method: 'DELETE',
          path: pathOf(item, 'cards', 'cardId', `/idLabels/${encodeURIComponent(item.id('id'))}`),
        }),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a label',
      properties: [labelId, fields('updateFields', [{ ...name, required: false }, color])],
      run: (item) => item.send({ method: 'PUT', path: pathOf(item, 'labels', 'id'), json: item.fields('updateFields') }),
    },
  },
};
