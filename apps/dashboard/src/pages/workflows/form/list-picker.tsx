import type { NodePropertyOption } from '@sluice/node-sdk/display';
import { Command } from 'cmdk';
import { ChevronsUpDown, Search } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useEffect, useState } from 'react';
import { messageOf } from '../../../data/errors.ts';
import type { InputIds } from './scalar-field.tsx';
import { useListSearch } from './use-list-search.ts';

interface ListPickerProps {
  ids: InputIds;
  label: string;
  method: string;
  /** Name of the property, whose own value does not change the list. */
  own: string;
  /** Text of the current choice; empty: none. */
  current: string;
  onChoose(option: NodePropertyOption): void;
}

/** Milliseconds without a key press after which the service is asked. */
const settleMs = 250;

/** A choice among what the service of the node lists, with a search. */
export function ListPicker({ ids, label, method, own, current, onChoose }: ListPickerProps) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const filter = useSettled(text);
  const query = useListSearch(method, { filter, isOpen, own });
  const results = query.data?.pages.flatMap((page) => page.results) ?? [];
  // A method may ignore the search and list everything.
  const shown = results.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <button type="button" className="input picker-button" {...ids}>
          <span className={current ? 'truncate' : 'truncate muted'}>{current || 'Choose …'}</span>
          <ChevronsUpDown size={14} aria-hidden="true" />
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="picker" aria-label={label} align="start" sideOffset={4} collisionPadding={8}>
          <Command label={label} shouldFilter={false} loop>
            <div className="palette-input">
              <Search size={14} aria-hidden="true" />
              <Command.Input value={text} onValueChange={setText} placeholder="Search" aria-label={`Search: ${label}`} />
            </div>
            <Command.List>
              {query.isFetching && results.length === 0 && <Command.Loading>Loading …</Command.Loading>}
              {query.error && <p className="field-error picker-note">{messageOf(query.error)}</p>}
              {query.isSuccess && !query.isFetching && shown.length === 0 && (
                <p className="muted picker-note">Nothing found.</p>
              )}
              {shown.map((option) => (
                <Command.Item
                  key={String(option.value)}
                  value={String(option.value)}
                  onSelect={() => {
                    onChoose(option);
                    setOpen(false);
                  }}
                >
                  <span className="palette-node">
                    <span className="truncate">{option.name}</span>
                    {option.description && <span className="muted truncate">{option.description}</span>}
                  </span>
                </Command.Item>
              ))}
              {query.hasNextPage && (
                <Command.Item value="more" disabled={query.isFetchingNextPage} onSelect={() => void query.fetchNextPage()}>
                  <span className="muted">{query.isFetchingNextPage ? 'Loading …' : 'Show more'}</span>
                </Command.Item>
              )}
            </Command.List>
          </Command>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text.trim()), settleMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
