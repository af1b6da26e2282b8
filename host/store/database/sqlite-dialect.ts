import {
  ColumnNode,
  PrimitiveValueListNode,
  ReferenceNode,
  SqliteDialect,
  SqliteQueryCompiler,
  ValueListNode,
  ValueNode,
  type BinaryOperationNode,
  type LimitNode,
  type OperationNode,
} from 'kysely';

/** Columns whose values are words of the program, and that partial indexes name. */
const columnsOfStates = new Set(['state', 'outcome', 'delivery']);

/**
 * SQLite plans a statement anew at each run whose best plan depends on a parameter, which takes many times as long as to
 * run it: on the number of rows that are wanted, and on what a partial index is about. Both are written into the
 * statement instead.
 */
class PlannedOnce extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const { limit } = node;
    if (!ValueNode.is(limit) || typeof limit.value !== 'number') return super.visitLimit(node);
    this.append('limit ');
    this.appendImmediateValue(limit.value);
  }

  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    super.visitBinaryOperation(
      isState(node.leftOperand) ? { ...node, rightOperand: written(node.rightOperand) } : node,
    );
  }
}

const isState = (node: OperationNode): boolean =>
  ReferenceNode.is(node) && ColumnNode.is(node.column) && columnsOfStates.has(node.column.column.name);

function written(node: OperationNode): OperationNode {
  if (PrimitiveValueListNode.is(node))
    return ValueListNode.create(node.values.map((value) => ValueNode.createImmediate(value)));
  return ValueNode.is(node) ? ValueNode.createImmediate(node.value) : node;
}

export class PegboardSqliteDialect extends SqliteDialect {
  override createQueryCompiler(): SqliteQueryCompiler {
    return new PlannedOnce();
  }
}
