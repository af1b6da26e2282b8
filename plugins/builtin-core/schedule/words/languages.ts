import de from './languages/de.json' with { type: 'json' };
import en from './languages/en.json' with { type: 'json' };
import es from './languages/es.json' with { type: 'json' };
import fi from './languages/fi.json' with { type: 'json' };
import fr from './languages/fr.json' with { type: 'json' };
import it from './languages/it.json' with { type: 'json' };
import ja from './languages/ja.json' with { type: 'json' };
import nl from './languages/nl.json' with { type: 'json' };
import pt from './languages/pt.json' with { type: 'json' };
import ru from './languages/ru.json' with { type: 'json' };
import sv from './languages/sv.json' with { type: 'json' };
import uk from './languages/uk.json' with { type: 'json' };
import vi from './languages/vi.json' with { type: 'json' };
import zh from './languages/zh.json' with { type: 'json' };
import type { Language } from './language.ts';

export const english: Language = en;

/** To add a language, add a file of languages/ and its lines here. */
export const languages: readonly Language[] = [en, de, fr, es, pt, it, nl, ru, uk, sv, fi, ja, zh, vi];
