/** Why a variable may be unset although its owner believes that it is set, as one sentence. Undefined when nothing is known. */
export type WhyUnset = (name: string) => string | undefined;
