import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

interface TabsProps {
  /** Name of the list for screen readers. */
  label: string;
  tabs: readonly { value: string; label: ReactNode; content: ReactNode }[];
  value: string;
  onChange(value: string): void;
  /** At the end of the row of tabs. */
  end?: ReactNode;
}

export function Tabs({ label, tabs, value, onChange, end }: TabsProps) {
  return (
    <Radix.Root className="tabs" value={value} onValueChange={onChange}>
      <div className="tab-bar">
        <Radix.List aria-label={label} className="tab-list">
          {tabs.map((tab) => (
            <Radix.Trigger key={tab.value} value={tab.value} className="tab">
              {tab.label}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {end}
      </div>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="tab-content">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
