import type { Resource } from '../../shared/define-service.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { graphPages } from '../../shared/microsoft-graph.ts';
import { listPath, list as listProperty, listsPath, selected, shown, site } from './share-point-client.ts';

const simple = ['id', 'name', 'displayName', 'description', 'createdDateTime', 'lastModifiedDateTime', 'webUrl'];

/** https://learn.microsoft.com/graph/api/resources/list */
export const list: Resource = {
  displayName: 'List',
  initial: 'getAll',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets a list',
      properties: [site, listProperty, ...shown],
      run: (item) => item.send({ path: listPath(item), query: selected(item, simple) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the lists of a site',
      properties: [site, ...listPropertiesOf(), ...shown],
      run: (item) => item.list({ path: listsPath(item), query: selected(item, simple) }, graphPages),
    },
  },
};
