import { Command } from 'cmdk';
import { ChevronsUpDown, Search } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../data/errors.ts';
import { useSettled } from './use-settled.ts';

/** An open list. Its parent passes it to `SearchList`. */
export interface OpenList {
  label: string;
  text: string;
  /** The text once the user stops typing. */
  search: string;
  onText(text: string): void;
  onClose(): void;
}

interface SearchSelectProps {
  /** Attributes that connect the button with a label outside. */
  ids?: { id: string; 'aria-describedby'?: string } | undefined;
  label: string;
  /** Text of the current choice; empty if nothing is chosen. */
  current: string;
  /** Renders a `SearchList` with the results. */
  children(list: OpenList): ReactNode;
}

const pauseMs = 250;

/** A choice from a list that is too long to load, with a search. */
export function SearchSelect({ ids, label, current, children }: SearchSelectProps) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const search = useSettled(text.trim(), pauseMs);
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <button type="button" className="input picker-button" {...(ids ?? { 'aria-label': `${label}: ${current}` })}>
          <span className={current ? 'truncate' : 'truncate muted'}>{current || 'Choose …'}</span>
          <ChevronsUpDown size={14} />
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="picker" aria-label={label} align="start" sideOffset={4} collisionPadding={8}>
          {children({ label, text, search, onText: setText, onClose: () => setOpen(false) })}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

export interface SearchOption {
  value: string;
  label: string;
  description?: string | undefined;
}

interface SearchListProps {
  list: OpenList;
  /** Reads the options, page by page. */
  query: {
    error: unknown;
    isFetching: boolean;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage(): unknown;
  };
  options: readonly SearchOption[];
  onChoose(option: SearchOption): void;
}

/** cmdk's keys, which must not be empty. */
const keyOf = (value: string) => `=${value}`;

export function SearchList({ list: { label, text, onText, onClose }, query, options, onChoose }: SearchListProps) {
  const [active, setActive] = useState('');
  const isEmpty = options.length === 0;
  // Enter chooses the first result of a new search.
  const isActive = active === 'more' || options.some(({ value }) => keyOf(value) === active);
  return (
    <Command
      label={label}
      shouldFilter={false}
      loop
      value={isActive ? active : keyOf(options[0]?.value ?? '')}
      onValueChange={setActive}
    >
      <div className="palette-input">
        <Search size={14} />
        <Command.Input value={text} onValueChange={onText} placeholder="Search" aria-label={`Search: ${label}`} />
      </div>
      <Command.List>
        {isEmpty && query.isFetching && <Command.Loading>Loading …</Command.Loading>}
        {isEmpty && !query.isFetching && !query.error && <p className="muted picker-note">Nothing found.</p>}
        {query.error ? <p className="field-error picker-note">{messageOf(query.error)}</p> : null}
        {options.map((option) => (
          <Command.Item
            key={option.value}
            value={keyOf(option.value)}
            onSelect={() => {
              onChoose(option);
              onClose();
            }}
          >
            <span className="palette-node">
              <span className="truncate">{option.label}</span>
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
  );
}
