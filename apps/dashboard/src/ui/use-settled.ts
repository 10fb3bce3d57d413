import { useEffect, useRef, useState } from 'react';

/**
 * A string that follows another string once it has not changed for some milliseconds, as when the
 * user stops typing.
 */
export function useSettled(text: string, pauseMs: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return settled;
}

/**
 * A string that the user types, for a value that changes later, such as one in the URL. It reports
 * itself once it has not changed for some milliseconds, and follows a value that it has not
 * reported.
 */
export function useTypedText(value: string, pauseMs: number, onChange: (text: string) => void) {
  const [text, setText] = useState(value);
  const report = useRef(onChange);
  report.current = onChange;
  const reported = useRef(value);
  useEffect(() => {
    if (value !== reported.current) setText(value);
    reported.current = value;
  }, [value]);
  useEffect(() => {
    if (text === reported.current) return;
    const timer = setTimeout(() => {
      reported.current = text;
      report.current(text);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return [text, setText] as const;
}
