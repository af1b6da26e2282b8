/** Screens of plugins, as they go to the page. Types only. */
import type { JsonSchema, ScreenAction, ScreenDeclaration } from 'pegboard/browser';

/** In the navigation. */
export interface ScreenLink {
  readonly plugin: string;
  readonly screen: string;
  readonly title: string;
}

export type Sections = NonNullable<ScreenDeclaration['detail']>['sections'];

export interface ActionView extends Pick<ScreenAction, 'label' | 'done' | 'when' | 'confirm' | 'parameters'> {
  readonly name: string;
  readonly on: 'row' | 'screen';
  readonly proof: boolean;
  /** What its preview consists of; absent: it has none. */
  readonly shows?: Sections;
  readonly parameters?: JsonSchema;
}

/** What the page has to know of a screen. The commands behind it stay with the host. */
export interface ScreenView
  extends ScreenLink, Pick<ScreenDeclaration, 'question' | 'empty' | 'kind' | 'columns' | 'calendar'> {
  /** The member of a row by which others name it. */
  readonly key: string;
  readonly hasSearch: boolean;
  readonly graph?: Pick<NonNullable<ScreenDeclaration['graph']>, 'nodes' | 'edges'>;
  readonly detail?: Sections;
  readonly actions: readonly ActionView[];
}

export interface ScreenRows {
  readonly rows: readonly unknown[];
  /** What is entered in the calendar. */
  readonly entries: readonly unknown[];
  readonly note?: string;
}

export interface ScreenGraph {
  readonly nodes: readonly unknown[];
  readonly edges: readonly unknown[];
}

/** What a command has printed, for the sections of a detail or a preview. */
export interface ScreenPart {
  readonly data: unknown;
}
