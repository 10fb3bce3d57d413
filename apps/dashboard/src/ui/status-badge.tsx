import { Ban, Check, CircleDashed, type LucideIcon, Pause, Play, Skull, X } from 'lucide-react';
import { cx } from './cx.ts';

export type Status = 'new' | 'running' | 'waiting' | 'success' | 'error' | 'canceled' | 'crashed';

const looks: Record<Status, { icon: LucideIcon; text: string; tone: string }> = {
  new: { icon: CircleDashed, text: 'Queued', tone: 'neutral' },
  running: { icon: Play, text: 'Running', tone: 'running' },
  waiting: { icon: Pause, text: 'Waiting', tone: 'waiting' },
  success: { icon: Check, text: 'Success', tone: 'success' },
  error: { icon: X, text: 'Failed', tone: 'error' },
  canceled: { icon: Ban, text: 'Canceled', tone: 'neutral' },
  crashed: { icon: Skull, text: 'Crashed', tone: 'crashed' },
};

export const statuses = Object.keys(looks) as Status[];

export function statusText(status: Status): string {
  return looks[status].text;
}

/** Tone of a status, for `data-tone` and the variables `--<tone>` and `--<tone>-bg`. */
export function statusTone(status: Status): string {
  return looks[status].tone;
}

/** A status, by shape, color, and text. */
export function StatusBadge({ status, compact = false }: { status: Status; compact?: boolean }) {
  const { icon: Icon, text } = looks[status];
  return (
    <span className={cx('status', status === 'running' && 'is-live')} data-tone={looks[status].tone}>
      <span className="status-icon" aria-hidden="true">
        <Icon size={10} strokeWidth={3} />
      </span>
      <span className={compact ? 'sr-only' : undefined}>{text}</span>
    </span>
  );
}

/** A short label with a tone. */
export function Badge({ tone = 'neutral', children }: { tone?: string; children: React.ReactNode }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}
