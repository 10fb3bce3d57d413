import { Command } from 'cmdk';
import { BookOpen, CornerDownLeft, LogOut, Moon, Plus, Sun, Workflow } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { leave } from '../data/sign-in-link.ts';
import { useWorkflowNames, useWorkflowsNamed } from '../data/workflows.ts';
import { CommandDialog } from '../ui/command-dialog.tsx';
import { useSettled } from '../ui/use-settled.ts';
import { navigation } from './navigation.ts';
import { isDark, theme } from './theme.ts';

interface PaletteProps {
  onClose(): void;
  go(to: string, search?: Record<string, string>): void;
}

/** Search and actions for the keyboard. */
export function Palette({ onClose, go }: PaletteProps) {
  const [text, setText] = useState('');
  const workflows = useWorkflows(text);
  const run = (action: () => void) => () => {
    onClose();
    action();
  };
  const executionId = /^#?(\d+)$/.exec(text.trim())?.[1];
  return (
    <CommandDialog
      title="Go to a page or run a command"
      label="Commands"
      placeholder="Search workflows and pages, or enter the ID of an execution"
      text={text}
      onText={setText}
      onClose={onClose}
    >
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
    </CommandDialog>
  );
}

/** Milliseconds after the last keystroke until the service is searched. */
const pauseMs = 200;

/** The first workflows. If there are more, also those whose name contains the text. */
function useWorkflows(text: string): { id: string; name: string }[] {
  const searchText = useSettled(text.trim(), pauseMs);
  const first = useWorkflowNames().data;
  const matching = useWorkflowsNamed(first?.nextCursor ? searchText : '').data;
  const all = [...(first?.data ?? []), ...(matching?.data ?? [])];
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
