import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { look } from '../../../look.ts';
import { HiddenText } from '../../../parts/hidden-text.tsx';
import { draw, radiusOf, wholeGraph, type View } from './draw.ts';
import { createLayout } from './layout.ts';
import { groupsOf, type Graph } from './read-graph.ts';

/** Milliseconds of work between two frames, so that the page answers meanwhile. */
const sliceMs = 15;
const zoomStep = 1.4;
/** Pixels that a press may move and still be one. */
const pressReach = 4;

interface Props {
  readonly graph: Graph;
  readonly label: string;
  readonly chosen: number | undefined;
  readonly onChosen: (node: number | undefined) => void;
}

/** The graph, drawn once all of it has its place. */
export function Picture({ graph, label, chosen, onChosen }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isPlaced = useSignal(false);
  const view = useSignal<View | undefined>(undefined);
  const layout = useMemo(() => createLayout(graph.nodes.length, graph.edges), [graph]);
  useEffect(() => {
    isPlaced.value = false;
    view.value = undefined;
    let timer: ReturnType<typeof setTimeout>;
    const work = (): void => {
      if (layout.step(sliceMs)) timer = setTimeout(work);
      else isPlaced.value = true;
    };
    work();
    return () => clearTimeout(timer);
  }, [layout]);
  const paint = (): void => {
    const at = canvas.current;
    if (!at || !isPlaced.value) return;
    view.value ??= wholeGraph(layout, at.clientWidth, at.clientHeight);
    const dots = at.parentElement!.querySelectorAll('.legend i');
    draw(
      at,
      graph,
      layout,
      view.value,
      chosen,
      Array.from(dots, (dot) => getComputedStyle(dot).color),
    );
  };
  useEffect(paint, [layout, isPlaced.value, view.value, chosen, look.value]);
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const resized = new ResizeObserver(paint);
    resized.observe(canvas.current!);
    dark.addEventListener('change', paint);
    return () => {
      resized.disconnect();
      dark.removeEventListener('change', paint);
    };
  }, [layout, chosen]);
  const zoom = (by: number): void => {
    if (view.value) view.value = { ...view.value, scale: Math.min(8, Math.max(0.02, view.value.scale * by)) };
  };
  const nodeAt = (x: number, y: number): number | undefined => {
    const at = canvas.current!;
    const { x: midX, y: midY, scale } = view.value!;
    const found = graph.nodes.findIndex(({ degree }, node) => {
      const dx = (layout.x[node]! - midX) * scale + at.clientWidth / 2 - x;
      const dy = (layout.y[node]! - midY) * scale + at.clientHeight / 2 - y;
      return Math.hypot(dx, dy) <= radiusOf(degree) + pressReach;
    });
    return found < 0 ? undefined : found;
  };
  const drag = (event: PointerEvent): void => {
    const start = view.value;
    if (event.button !== 0 || !start) return;
    const at = event.currentTarget as HTMLCanvasElement;
    at.setPointerCapture(event.pointerId);
    const over = new AbortController();
    const moved = (to: PointerEvent): readonly [number, number] => [
      to.clientX - event.clientX,
      to.clientY - event.clientY,
    ];
    const { signal } = over;
    at.addEventListener(
      'pointermove',
      (to) => {
        const [dx, dy] = moved(to);
        if (Math.hypot(dx, dy) <= pressReach) return;
        view.value = { ...start, x: start.x - dx / start.scale, y: start.y - dy / start.scale };
      },
      { signal },
    );
    at.addEventListener('pointercancel', () => over.abort(), { signal });
    at.addEventListener(
      'pointerup',
      (to) => {
        over.abort();
        if (Math.hypot(...moved(to)) <= pressReach) onChosen(nodeAt(to.offsetX, to.offsetY));
      },
      { signal },
    );
  };
  return (
    <div class="picture">
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        data-placed={isPlaced.value}
        onPointerDown={drag}
        onWheel={(event) => {
          event.preventDefault();
          zoom(event.deltaY < 0 ? zoomStep : 1 / zoomStep);
        }}
      />
      <ul class="legend" aria-label="Kinds">
        {groupsOf(graph)
          .filter((group) => group !== '')
          .map((group) => (
            <li>
              <i aria-hidden="true" /> <HiddenText text={group.slice(0, 30)} />
            </li>
          ))}
      </ul>
      {!isPlaced.value && <p class="quiet">Placing {graph.nodes.length.toLocaleString()} …</p>}
      <div class="row zoom">
        <button type="button" class="small" aria-label="Larger" onClick={() => zoom(zoomStep)}>
          +
        </button>
        <button type="button" class="small" aria-label="Smaller" onClick={() => zoom(1 / zoomStep)}>
          −
        </button>
        <button type="button" class="small" onClick={() => (view.value = undefined)}>
          All
        </button>
      </div>
    </div>
  );
}
