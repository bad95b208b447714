"""Networks of every form in plain numpy, written from FORMAT.md, section 9, without symut's recursion."""

import numpy as np

from symut.backbone.forms import FormShape, form_slots


def softmax(Q, K):
    return scores_softmax(Q @ K.T)


def linear(Q, K):
    return Q @ K.T / len(Q)


def rotated(Q, K):
    """Softmax of scores that depend on positions, no function of Q K^T: row i of Q and K is rolled by i."""
    roll = lambda A: np.stack([np.roll(row, i) for i, row in enumerate(A)])  # noqa: E731
    return scores_softmax(roll(Q) @ roll(K).T)


def hard(Q, K):
    return scores_hard(Q @ K.T)


def centred(Q, K):
    """Rows sum to 1 and have negative entries."""
    S = Q @ K.T
    return 1 / len(S) + S - S.mean(axis=1, keepdims=True)


def scores_softmax(S):
    weights = np.exp(S - S.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def scores_linear(S):
    return S / len(S)


def scores_hard(S):
    return np.eye(S.shape[1])[S.argmax(axis=1)]


def run(X, Q, K, V, alpha, residual=False, scores=False, biases=None):
    """X_L; Q, K, V are indexed [layer][head], biases are (bQ, bK, bV) indexed alike."""
    bQ, bK, bV = biases or (np.zeros((len(Q), len(Q[0]), 1)),) * 3
    for layer in range(len(Q)):
        new = X * residual
        for head in range(len(Q[layer])):
            queries, keys = X @ Q[layer][head] + bQ[layer][head], X @ K[layer][head] + bK[layer][head]
            attention = alpha(queries @ keys.T) if scores else alpha(queries, keys)
            new = new + attention @ (X @ V[layer][head] + bV[layer][head])
        X = new
    return X


def dense_columns(width, columns):
    matrix = np.zeros((width, len(columns)))
    for j, coordinates in enumerate(columns):
        matrix[coordinates, j] = 1
    return matrix


def dense_moves(width, moves):
    matrix = np.zeros((width, width))
    for source, target, length in moves:
        matrix[range(source, source + length), range(target, target + length)] += 1
    return matrix


def dense_backbone(routing, shape: FormShape):
    """Q, K, V indexed [layer][head] and U of a routing of any form."""
    w, form = len(routing.slots), shape.form
    repeat = shape.L if form.shared else 1
    Q = repeat * [[dense_columns(w, head) for head in layer] for layer in routing.queries]
    V = repeat * [[dense_moves(w, head) for head in layer] for layer in routing.values]
    U = dense_columns(w, routing.readout)
    if form.keys == "heads":
        K = repeat * [[dense_columns(w, head) for head in layer] for layer in routing.keys]
    elif form.keys == "layer":
        K = [shape.H * [dense_columns(w, layer[0])] for layer in routing.keys]
    else:
        K, product = [], U
        for layer in reversed(V):
            product = layer[0] @ product
            K.insert(0, shape.H * [product])
    return Q, K, V, U


def word(slot, shape: FormShape, Q, K, V, readout):
    """The column of B(W) that a slot names; Q, K, V indexed [layer][head] are the (lifted) target's."""
    form, product = shape.form, np.eye(len(V[0][0]))
    for layer, letter in enumerate(slot.path):
        product = product @ (V[layer][letter - 1] if letter else np.eye(len(product)))
    layer, head = len(slot.path), slot.head - 1
    if slot.role == "U":
        product = product @ readout
    elif form.keys == "heads":
        product = product @ (Q if slot.role == "Q" else K)[layer][head]
    elif slot.role == "Q" and form.keys == "layer":
        product = product @ Q[layer][head] @ K[layer][head].T
    elif slot.role == "Q":
        tail = np.linalg.multi_dot([V[i][0] for i in range(layer, shape.L)] + [np.eye(len(product))] * 2)
        product = product @ np.linalg.solve(tail, K[layer][head] @ Q[layer][head].T).T
    return product[:, slot.column]


def program(routing, shape: FormShape, Q, K, V, readout):
    """E: the words of the slots that the coordinates hold, zero at -1."""
    table = form_slots(shape)
    E = np.zeros((len(V[0][0]), len(routing.slots)))
    for coordinate, number in enumerate(routing.slots):
        if number >= 0:
            E[:, coordinate] = word(table[number], shape, Q, K, V, readout)
    return E


def lifted(Q, K, V, biases, C, c, carry):
    """The letters of an affine target with d + 1 rows."""
    bQ, bK, bV = biases
    below = lambda A, b: np.vstack([A, b])  # noqa: E731
    heads = [(layer, head) for layer in range(len(Q)) for head in range(len(Q[0]))]
    parts = {"Q": {}, "K": {}, "V": {}}
    for layer, head in heads:
        parts["Q"][layer, head] = below(Q[layer][head], bQ[layer][head])
        parts["K"][layer, head] = below(K[layer][head], bK[layer][head])
        last = np.append(np.zeros(len(V[layer][head])), carry[layer][head])
        parts["V"][layer, head] = np.column_stack([below(V[layer][head], bV[layer][head]), last])
    nested = [[[part[layer, head] for head in range(len(Q[0]))] for layer in range(len(Q))] for part in parts.values()]
    return *nested, below(C, c)
