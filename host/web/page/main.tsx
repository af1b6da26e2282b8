import { render } from 'preact';

render(<main>Pegboard</main>, document.querySelector('#app')!);
