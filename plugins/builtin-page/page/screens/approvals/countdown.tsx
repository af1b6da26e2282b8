import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** How long an answer still counts. */
export function Countdown({ until }: { readonly until: string }) {
  const tick = useSignal(0);
  useEffect(() => {
    const timer = setInterval(() => tick.value++, 1_000);
    return () => clearInterval(timer);
  }, []);
  void tick.value;
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / 1_000));
  return (
    <span class={seconds < 30 ? 'count warn' : 'count'} role="timer">
      {seconds === 0 ? 'time is up' : `${textOf(seconds)} left`}
    </span>
  );
}

function textOf(seconds: number): string {
  if (seconds >= 5_400) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
