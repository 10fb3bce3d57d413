import { Command } from 'cmdk';
import { useState } from 'react';
import { isTrigger } from '../../../data/node-type-facts.ts';
import type { NodeType } from '../../../data/node-types.ts';
import { CommandDialog } from '../../../ui/command-dialog.tsx';
import { NodeIcon } from '../../../ui/node-icon.tsx';
import { Loading } from '../../../ui/states.tsx';
import { withCode } from '../../../ui/with-code.tsx';
import { nameOfConnection } from '../model/ports.ts';
import { rankTypes } from '../model/rank-types.ts';

interface NodePaletteProps {
  types: readonly NodeType[] | undefined;
  /** Only types that serve others by this connection type. */
  supplying?: string | undefined;
  /** Triggers come first: the workflow has no trigger yet. */
  wantsTrigger: boolean;
  onClose(): void;
  onChoose(type: NodeType): void;
}

/** All node types, to search and choose one. */
export function NodePalette({ types, supplying, wantsTrigger, onClose, onChoose }: NodePaletteProps) {
  const [text, setText] = useState('');
  const offered = (types ?? []).filter(({ outputs }) => supplying === undefined || outputs.includes(supplying));
  const ranked = rankTypes(
    offered.toSorted((a, b) => a.displayName.localeCompare(b.displayName)),
    text,
  );
  return (
    <CommandDialog
      title={supplying ? `Add: ${nameOfConnection(supplying)}` : 'Add a node'}
      label="Node types"
      placeholder={supplying ? `Search: ${nameOfConnection(supplying)}` : 'Search nodes: HTTP, schedule, filter, code …'}
      text={text}
      onText={setText}
      onClose={onClose}
      shouldFilter={false}
    >
      {types && <Command.Empty>No node type matches “{text}”.</Command.Empty>}
      {!types && <Loading />}
      {groupsOf(ranked, { isSearch: text.trim() !== '', wantsTrigger, supplying }).map(({ heading, members }) => (
        <Command.Group key={heading} heading={heading}>
          {members.map((type) => (
            <Command.Item key={type.type} value={type.type} onSelect={() => onChoose(type)}>
              <NodeIcon type={type.type} size={16} />
              <span className="palette-node">
                <span>{type.displayName}</span>
                <span className="muted truncate">{withCode(type.description ?? '')}</span>
              </span>
            </Command.Item>
          ))}
        </Command.Group>
      ))}
    </CommandDialog>
  );
}

/** Common steps of workflows, in the order in which people look for them. */
const common = [
  'base.http-request',
  'base.set',
  'base.if',
  'base.code',
  'base.filter',
  'base.split-in-batches',
  'base.merge',
  'base.wait',
];

const isStep = ({ outputs }: NodeType) => outputs.length === 0 || outputs.includes('main');

interface Grouping {
  isSearch: boolean;
  wantsTrigger: boolean;
  supplying: string | undefined;
}

/** A search has one list. Otherwise, triggers and steps are groups, common steps first. */
function groupsOf(types: readonly NodeType[], { isSearch, wantsTrigger, supplying }: Grouping) {
  if (supplying && !isSearch) return [{ heading: nameOfConnection(supplying), members: types }];
  if (isSearch) return types.length === 0 ? [] : [{ heading: 'Best matches', members: types }];
  const groups = [
    { heading: 'Common steps', members: common.flatMap((name) => types.find(({ type }) => type === name) ?? []) },
    {
      heading: 'Steps',
      members: types.filter((type) => !isTrigger(type) && isStep(type) && !common.includes(type.type)),
    },
    { heading: 'Triggers', members: types.filter(isTrigger) },
  ];
  const subNodes = { heading: 'For agents and chains', members: types.filter((type) => !isTrigger(type) && !isStep(type)) };
  return [...(wantsTrigger ? [...groups.slice(2), ...groups.slice(0, 2)] : groups), subNodes].filter(
    ({ members }) => members.length > 0,
  );
}
