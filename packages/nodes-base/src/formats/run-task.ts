import type { TaskMessage } from './tasks.ts';

/** Each reader brings a library of its own, loaded by the first task that needs it. */
export async function* runTask(task: TaskMessage): AsyncGenerator<unknown> {
  switch (task.name) {
    case 'readCsv': {
      const { readCsv } = await import('./read-csv.ts');
      yield* readCsv(task.input);
      return;
    }
    case 'readSheet': {
      const { readSheet } = await import('./read-sheet.ts');
      yield* readSheet(task.input);
      return;
    }
    case 'writeSheet': {
      const { writeSheet } = await import('./write-sheet.ts');
      yield writeSheet(task.input);
      return;
    }
    case 'readPdf': {
      const { readPdf } = await import('./read-pdf.ts');
      yield await readPdf(task.input);
      return;
    }
    case 'readCalendar': {
      const { readCalendar } = await import('./read-calendar.ts');
      yield readCalendar(task.input);
    }
  }
}
