import { KEYS } from '../keyboard.js';
import { change } from '../state.js';

export function Help() {
  return (
    <dialog open class="help" aria-label="Keys">
      <h2>Keys</h2>
      <table>
        <tbody>
          {KEYS.map(([keys, what]) => (
            <tr key={keys}>
              <th scope="row">
                <kbd>{keys}</kbd>
              </th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" onClick={() => change({ isHelpOpen: false })}>
        Close
      </button>
    </dialog>
  );
}
