import { exactly } from './format.ts';

/** A bar for long work. */
export function Progress({ label, done, total }: { label: string; done: number; total: number }) {
  const share = total === 0 ? 0 : Math.min(1, done / total);
  return (
    <div className="progress">
      <div className="row">
        <span className="grow">{label}</span>
        <span className="muted">
          {exactly(done)} of {exactly(total)}
        </span>
      </div>
      <progress value={share} max={1} aria-label={label} />
    </div>
  );
}
