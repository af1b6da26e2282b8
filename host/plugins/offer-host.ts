/** Preloaded where a plugin's own tests run: "pegboard" and "pegboard/testing" are the host that runs them. */
import { offerHostModules } from './loading/generations.ts';

offerHostModules();
