import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useState } from 'react';
import type { NodeType } from '../../../data/workflows.ts';
import { NodeIcon } from '../../../ui/node-icon.tsx';
import { Loading } from '../../../ui/states.tsx';
import { isTrigger } from '../model/ports.ts';
import { rankTypes } from '../model/rank-types.ts';

interface NodePaletteProps {
  types: readonly NodeType[] | undefined;
  /** Triggers come first: the workflow has none yet. */
  wantsTrigger: boolean;
  onClose(): void;
  onChoose(type: NodeType): void;
}

/** All node types, to search and choose one. */
export function NodePalette({ types, wantsTrigger, onClose, onChoose }: NodePaletteProps) {
  const [text, setText] = useState('');
  const found = rankTypes(types ?? [], text);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="palette" aria-describedby={undefined}>
          <Dialog.Title className="sr-only">Add a node</Dialog.Title>
          <Command label="Node types" shouldFilter={false} loop>
            <div className="palette-input">
              <Search size={16} aria-hidden="true" />
              <Command.Input value={text} onValueChange={setText} placeholder="Search nodes: HTTP, schedule, filter, code …" />
            </div>
            <Command.List>
              {types && <Command.Empty>No node type matches “{text}”.</Command.Empty>}
              {!types && <Loading />}
              {groupsOf(found, { isSearch: text.trim() !== '', wantsTrigger }).map(({ heading, members }) => (
                <Command.Group key={heading} heading={heading}>
                  {members.map((type) => (
                    <Command.Item key={type.type} value={type.type} onSelect={() => onChoose(type)}>
                      <NodeIcon type={type.type} size={16} />
                      <span className="palette-node">
                        <span>{type.displayName}</span>
                        <span className="muted truncate">{type.description}</span>
                      </span>
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** A search has one list, best first. Otherwise triggers and steps are apart. */
function groupsOf(types: readonly NodeType[], { isSearch, wantsTrigger }: { isSearch: boolean; wantsTrigger: boolean }) {
  if (isSearch) return types.length === 0 ? [] : [{ heading: 'Best matches', members: types }];
  const groups = [
    { heading: 'Steps', members: types.filter((type) => !isTrigger(type)) },
    { heading: 'Triggers', members: types.filter(isTrigger) },
  ];
  return wantsTrigger ? groups.toReversed() : groups;
}
