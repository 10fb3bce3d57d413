import { toggle, when } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { appendBlocks, blocksOf, childBlocks, simplifiedBlock } from './blocks.ts';
import { blockUrl, idOf } from './notion-client.ts';
import { blockId, blockUi, listProperties } from './notion-properties.ts';

export const block: Resource = {
  displayName: 'Block',
  operations: {
    append: {
      displayName: 'Append After',
      description: 'Appends blocks to a page or a block',
      properties: [blockId, blockUi],
      run: (item) => appendBlocks(item, idOf(item, 'blockId', blockUrl), blocksOf(item)),
    },
    getAll: {
      displayName: 'Get Child Blocks',
      description: 'Lists the blocks of a page or a block',
      properties: [
        blockId,
        ...listProperties,
        toggle(
          'fetchNestedBlocks',
          'Also Fetch Nested Blocks',
          'Whether to return blocks in blocks, too, each after its parent',
        ),
        toggle('simplifyOutput', 'Simplify Output', 'Whether to return a short form instead of all data', {
          default: true,
          ...when([2.2]),
        }),
      ],
      async run(item) {
        const id = idOf(item, 'blockId', blockUrl);
        const blocks = await childBlocks(item, id, item.toggle('fetchNestedBlocks'), item.limit());
        return item.version >= 2.2 && item.toggle('simplifyOutput', true) ? blocks.map(simplifiedBlock) : blocks;
      },
    },
  },
};
