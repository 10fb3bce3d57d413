import { Command } from 'cmdk';
import { BookOpen, CornerDownLeft, LogOut, Moon, Plus, Search, Sun, Workflow } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { leave } from '../data/sign-in-link.ts';
import { useWorkflowNames, useWorkflowsNamed } from '../data/workflows.ts';
import { useSettled } from '../ui/use-settled.ts';
import { navigation } from './navigation.ts';
import { isDark, theme } from './theme.ts';

interface PaletteProps {
  open: boolean;
  onClose(): void;
  go(to: string, search?: Record<string, string>): void;
}

/** Search and actions for the keyboard. */
export function Palette({ open, onClose, go }: PaletteProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="palette" aria-describedby={undefined}>
          <Dialog.Title className="sr-only">Go to a page or run a command</Dialog.Title>
          <PaletteCommands onClose={onClose} go={go} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteCommands({ onClose, go }: Omit<PaletteProps, 'open'>) {
  const [text, setText] = useState('');
  const workflows = useWorkflows(text);
  const run = (action: () => void) => () => {
    onClose();
    action();
  };
  const executionId = /^#?(\d+)$/.exec(text.trim())?.[1];
  return (
    <Command label="Commands" loop>
      <div className="palette-input">
        <Search size={16} aria-hidden="true" />
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder="Search workflows and pages, or enter the ID of an execution"
        />
      </div>
      <Command.List>
        <Command.Empty>Nothing matches “{text}”.</Command.Empty>
        {executionId && (
          <Item
            value={`#${executionId} execution`}
            icon={<CornerDownLeft size={15} />}
            onSelect={run(() => go(`/executions/${executionId}`))}
          >
            Open execution {executionId}
          </Item>
        )}
        <Command.Group heading="Go to">
          {navigation.flat().map(({ to, label, icon: Icon, key }) => (
            <Item key={to} value={label} icon={<Icon size={15} />} keys={['g', key]} onSelect={run(() => go(to))}>
              {label}
            </Item>
          ))}
        </Command.Group>
        {workflows.length > 0 && (
          <Command.Group heading="Workflows">
            {workflows.map(({ id, name }) => (
              <Item key={id} value={`${name} ${id}`} icon={<Workflow size={15} />} onSelect={run(() => go(`/workflows/${id}`))}>
                {name}
              </Item>
            ))}
          </Command.Group>
        )}
        <Command.Group heading="Commands">
          <Item value="new workflow create" icon={<Plus size={15} />} onSelect={run(() => go('/workflows', { new: '1' }))}>
            New workflow
          </Item>
          <Item value="new credential create" icon={<Plus size={15} />} onSelect={run(() => go('/credentials/new'))}>
            New credential
          </Item>
          <Item
            value="switch theme dark light"
            icon={isDark() ? <Sun size={15} /> : <Moon size={15} />}
            onSelect={run(switchTheme)}
          >
            {isDark() ? 'Switch to light' : 'Switch to dark'}
          </Item>
          <Item
            value="api documentation"
            icon={<BookOpen size={15} />}
            onSelect={run(() => window.open('docs', '_blank', 'noopener'))}
          >
            API documentation
          </Item>
          <Item value="sign out" icon={<LogOut size={15} />} onSelect={run(() => void leave())}>
            Sign out
          </Item>
        </Command.Group>
      </Command.List>
    </Command>
  );
}

/** Milliseconds without a key after which the service is asked. */
const pauseMs = 200;

/** The first workflows, and those with the text in their name if there are more than these. */
function useWorkflows(text: string): { id: string; name: string }[] {
  const wanted = useSettled(text.trim(), pauseMs);
  const first = useWorkflowNames().data;
  const found = useWorkflowsNamed(first?.nextCursor ? wanted : '').data;
  const all = [...(first?.data ?? []), ...(found?.data ?? [])];
  return [...new Map(all.map((workflow) => [workflow.id, workflow])).values()];
}

interface ItemProps {
  value: string;
  icon: ReactNode;
  keys?: readonly string[];
  onSelect(): void;
  children: ReactNode;
}

function Item({ value, icon, keys = [], onSelect, children }: ItemProps) {
  return (
    <Command.Item value={value} onSelect={onSelect}>
      {icon}
      <span className="grow truncate">{children}</span>
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </Command.Item>
  );
}

export function switchTheme(): void {
  theme.set(isDark() ? 'light' : 'dark');
}
